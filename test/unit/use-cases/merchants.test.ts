import { expect, it } from "vitest";
import { newKeys } from "../../../infra/operator/common/new-keys.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { AT_ONCE } from "../../../shared/use-cases/each-of.ts";
import { merchantsOf, renameMerchant } from "../../../shared/use-cases/operator/onboarding/merchants.ts";
import {
  registerTerminal,
  retireTerminal,
  terminalsOf,
} from "../../../shared/use-cases/operator/onboarding/terminals.ts";
import { aPlatform } from "../../support/platform.ts";

const [partnerId, cafe, shop] = ["partner", "merchant-1", "merchant-2"];

/** A partner whose terminals have these merchants and names. */
async function partnerWith(terminals: readonly (readonly [merchantId: string, merchantName?: string])[]) {
  const { deps, pass } = await aPlatform();
  const made = { ...deps, newKeys: newKeys({ p1: "a pepper" }) };
  for (const [at, [merchantId, merchantName]] of terminals.entries()) {
    const wish = { idAsReceived: `terminal-${at}`, partnerId, merchantId, merchantName, strictOrders: false };
    await registerTerminal(made, wish, deps.clock.now());
  }
  return { deps, pass };
}

it("a merchant is listed once, with each name that its terminals have", async () => {
  const { deps } = await partnerWith([[shop, "Shop"], [cafe, "Café"], [cafe], [cafe, "Bar"], [cafe, "Bar"]]);
  expect(merchantsOf(await terminalsOf(deps, partnerId))).toEqual([
    { merchantId: cafe, names: ["Bar", "Café"], terminals: 4, unnamed: 1 },
    { merchantId: shop, names: ["Shop"], terminals: 1, unnamed: 0 },
  ]);
});

it("a merchant is renamed at each of its terminals, whatever else writes them, and no other merchant is", async () => {
  const { deps } = await partnerWith([[cafe, "Café"], [shop, "Shop"], [cafe], [cafe, "Bar"]]);
  const { save } = deps.terminals;
  let conflicts = 0;
  const contested: typeof save = async (terminal, etag) => {
    if (terminal.terminalId === "terminal-2" && conflicts++ === 0) {
      await save({ ...terminal, merchantName: undefined, status: "closed" }, etag);
      throw new Conflict("another writer was first");
    }
    return save(terminal, etag);
  };
  const before = (await terminalsOf(deps, partnerId)).map(({ terminal }) => terminal.updatedAt);
  const wish = { partnerId, merchantId: cafe, name: "Bistro" };
  expect(await renameMerchant({ ...deps, terminals: { ...deps.terminals, save: contested } }, wish)).toBe(3);
  const after = (await terminalsOf(deps, partnerId)).map(({ terminal }) => terminal);
  expect(after).toMatchObject([
    { merchantName: "Bistro" },
    { merchantName: "Shop" },
    { merchantName: "Bistro", status: "closed" },
    { merchantName: "Bistro" },
  ]);
  expect(after.map(({ updatedAt }) => updatedAt)).toEqual(before);
  const unwritten = { ...deps.terminals, save: () => Promise.reject(new Error("wrote again")) };
  expect(await renameMerchant({ ...deps, terminals: unwritten }, wish)).toBe(3);
});

it("a terminal that is retired is no terminal of its merchant", async () => {
  const { deps, pass } = await partnerWith([
    [cafe, "Café"],
    [cafe, "Bar"],
  ]);
  const [view] = await terminalsOf(deps, partnerId);
  if (!view) throw new Error("the terminal is gone");
  await deps.terminals.save({ ...view.terminal, status: "closed" }, view.etag);
  await pass(60);
  const closed = await deps.terminals.find(view.terminal.terminalId);
  if (!closed) throw new Error("the terminal is gone");
  await retireTerminal(deps, closed, deps.clock.now());
  expect(merchantsOf(await terminalsOf(deps, partnerId))).toMatchObject([{ names: ["Bar"], terminals: 1 }]);
  expect(await renameMerchant(deps, { partnerId, merchantId: cafe, name: "Bistro" })).toBe(1);
});

it("a partner's terminals are read a few at a time", async () => {
  const { deps } = await partnerWith(Array.from({ length: 3 * AT_ONCE }, () => [cafe] as const));
  let [now, most] = [0, 0];
  const find: typeof deps.terminals.find = async (terminalId) => {
    most = Math.max(most, ++now);
    const found = await deps.terminals.find(terminalId);
    now -= 1;
    return found;
  };
  const counted = { ...deps, terminals: { ...deps.terminals, find } };
  expect(await terminalsOf(counted, partnerId)).toHaveLength(3 * AT_ONCE);
  expect(most).toBe(AT_ONCE);
});
