import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { newKeys } from "../../../infra/operator/common/new-keys.ts";
import { keyStatus } from "../../../shared/domain/api-key.ts";
import type { Clock } from "../../../shared/ports/clock.ts";
import type { Rows } from "../../../shared/ports/rows.ts";
import { partner as partnersApi, terminal as terminalsApi } from "../../../shared/edge/auth/authenticate.ts";
import { signingSecrets } from "../../../shared/edge/auth/signing-secrets.ts";
import { eachTable, tablePorts, type Tables } from "../../../shared/stores/stores.ts";
import { revokeKey, rotateKey } from "../../../shared/use-cases/operator/onboarding/keys.ts";
import {
  chooseOnboarding,
  missingOf,
  storeMissing,
  type Onboarding,
} from "../../../shared/use-cases/operator/onboarding/onboard.ts";
import { renameMerchant } from "../../../shared/use-cases/operator/onboarding/merchants.ts";
import { disablePartner } from "../../../shared/use-cases/operator/onboarding/partners.ts";
import { rekeyTerminal, retireTerminal } from "../../../shared/use-cases/operator/onboarding/terminals.ts";
import {
  addWebhookSecret,
  dropOldWebhookSecrets,
} from "../../../shared/use-cases/operator/onboarding/webhook-secrets.ts";
import { noAuthWork } from "../../support/auth-deps.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";

const peppers = { p1: "the pepper of new keys" };
const signing = signingSecrets({ w1: "the key of webhook secrets" });
const now = "2026-11-30T10:00:00.000Z";
const making = { now: () => now, newId: randomUUID };
const clock = { now: () => now } as Clock;
const TERMINALS = 3;

const depsOn = (tables: Tables) => ({ ...tablePorts(tables), newKeys: newKeys(peppers), signing });

/** An onboarding that nothing of is stored, and empty tables for it. */
function chosen() {
  const tables = eachTable(() => inMemoryRows());
  const deps = depsOn(tables);
  const wish = { name: "Kassabolaget", merchantName: "Café", scopes: ["payments"] as const, terminals: TERMINALS };
  return { tables, deps, onboarding: chooseOnboarding(deps, making, wish) };
}

/** Stores what is missing, as the operator's command does. */
const run = async (tables: Tables, onboarding: Onboarding) => {
  const deps = depsOn(tables);
  await storeMissing(deps, making, onboarding, await missingOf(deps, onboarding));
};

/** The process ends at this call, from 1, before the tables get it or after they carried it out. */
interface Stop {
  readonly at: number;
  readonly when: "before" | "after";
}

/** The tables of a process that ends at a call. `calls` counts those that were begun. */
function stopping(tables: Tables, { at, when }: Stop) {
  let calls = 0;
  const counted = (rows: Rows): Rows =>
    new Proxy(rows, {
      get:
        (target, name: keyof Rows) =>
        async (...given: unknown[]) => {
          const call = ++calls;
          if (call > at || (call === at && when === "before")) throw new Error("power cut");
          const answer = await (target[name] as (...of: unknown[]) => Promise<unknown>)(...given);
          if (call === at) throw new Error("power cut");
          return answer;
        },
    });
  return { tables: eachTable((table) => counted(tables[table])), calls: () => calls };
}

const NEVER: Stop = { at: Infinity, when: "before" };

/** The number of calls of a command that nothing stops. */
async function callsOf(): Promise<number> {
  const { tables, onboarding } = chosen();
  const counted = stopping(tables, NEVER);
  await run(counted.tables, onboarding);
  return counted.calls();
}

/** All that is stored, to see that it stays. */
const contentsOf = async ({ partners, terminals }: ReturnType<typeof depsOn>, { partnerId, ...of }: Onboarding) => ({
  partner: await partners.read(partnerId),
  keys: await Promise.all((await partners.keyIds(partnerId)).map((keyId) => partners.readKey(keyId))),
  listed: await partners.terminalIds(partnerId),
  terminals: await Promise.all(of.terminals.map(({ terminalId }) => terminals.find(terminalId))),
  retired: await Promise.all(of.terminals.map(({ terminalId }) => terminals.findRetired(terminalId))),
});

/** Whether the app accepts the key of the partner and of each terminal. */
async function accepted(deps: ReturnType<typeof depsOn>, { apikey, terminals }: Onboarding) {
  const auth = { ...deps, peppers, clock, ...noAuthWork };
  const asked = (headers: Record<string, string>) => ({ headers: new Headers(headers) }) as never;
  const partner = await partnersApi("payments").authenticate(asked({ apikey }), auth);
  const ofTerminals = terminals.map(({ terminalKey }) =>
    terminalsApi.authenticate(asked({ "x-terminal-key": terminalKey }), auth),
  );
  return { partner: partner.ok, terminals: (await Promise.all(ofTerminals)).map(({ ok }) => ok) };
}

/** The end of a run that was stopped and repeated, without what differs from run to run. */
async function endOf({ tables, deps, onboarding }: ReturnType<typeof chosen>, stop: Stop) {
  await expect(run(stopping(tables, stop).tables, onboarding)).rejects.toThrow("power cut");
  await run(tables, onboarding);
  const { partner, keys, listed, terminals } = await contentsOf(deps, onboarding);
  return {
    ...stop,
    partners: (await deps.partners.list()).length,
    keys: keys.map((stored) => stored && keyStatus(stored.key, now)),
    listed: listed.length,
    terminals: terminals.map((view) => [view?.terminal.name, view?.terminal.merchantName]),
    isEnding: /formerKey|revokedAt/.test(JSON.stringify([keys, terminals])),
    accepted: await accepted(deps, onboarding),
    isSigning: partner?.partner.webhookSecrets.map(
      (secret) => signing.open(onboarding.partnerId, secret) === onboarding.webhookSecret,
    ),
  };
}

it.each(["before", "after"] as const)(
  "an onboarding that is stopped %s any table call, and repeated, gives one partner, one key and its terminals",
  async (when) => {
    const calls = await callsOf();
    expect(calls).toBeGreaterThan(TERMINALS * 4);
    for (let at = 1; at <= calls; at++)
      expect(await endOf(chosen(), { at, when })).toEqual({
        at,
        when,
        partners: 1,
        keys: ["active"],
        listed: TERMINALS,
        terminals: [
          ["Terminal 1", "Café"],
          ["Terminal 2", "Café"],
          ["Terminal 3", "Café"],
        ],
        isEnding: false,
        accepted: { partner: true, terminals: [true, true, true] },
        isSigning: [true],
      });
  },
);

it("a repeated onboarding changes nothing, whatever happened to its parts since", async () => {
  const { tables, deps, onboarding } = chosen();
  await run(tables, onboarding);
  const { partnerId, merchantId } = onboarding;
  const [first, second] = onboarding.terminals;
  const viewOf = async ({ terminalId } = { terminalId: "" }) => {
    const view = await deps.terminals.find(terminalId);
    if (!view) throw new Error("the terminal is gone");
    return view;
  };
  const partner = async () => {
    const stored = await deps.partners.read(partnerId);
    if (!stored) throw new Error("the partner is gone");
    return stored;
  };
  const [stored] = (await contentsOf(deps, onboarding)).keys;
  if (!stored) throw new Error("the key is gone");
  await renameMerchant(deps, { partnerId, merchantId, name: "Bistro" });
  await rekeyTerminal(deps, await viewOf(first), { now, keepSeconds: 0 });
  const { terminal, etag } = await viewOf(second);
  const before = "2026-11-30T09:00:00.000Z";
  await deps.terminals.save({ ...terminal, status: "closed", updatedAt: before }, etag);
  expect(await retireTerminal(deps, await viewOf(second), now)).toHaveProperty("retiredAt");
  const { made } = await rotateKey(deps, stored, { now, keepSeconds: 0 });
  const old = await deps.partners.readKey(stored.key.keyId);
  if (!old) throw new Error("the key is gone");
  await revokeKey(deps, old, now);
  await addWebhookSecret(deps, await partner(), making);
  await dropOldWebhookSecrets(deps, await partner(), now);
  await disablePartner(deps, await partner(), now);

  expect(await missingOf(deps, onboarding)).toEqual({ partner: false, key: false, terminals: [] });
  const contents = await contentsOf(deps, onboarding);
  await run(tables, onboarding);
  expect(await contentsOf(deps, onboarding)).toEqual(contents);
  expect(contents.keys).toHaveLength(2);
  expect(await accepted(deps, onboarding)).toEqual({ partner: false, terminals: [false, false, true] });
  expect(await accepted(deps, { ...onboarding, apikey: made.apikey })).toMatchObject({ partner: false });
});

it("an onboarding of a partner that was disabled meanwhile gives its key no access, wherever it is stopped", async () => {
  const calls = await callsOf();
  for (let at = 1; at <= calls; at++) {
    const { tables, deps, onboarding } = chosen();
    const { partner, ...rest } = await missingOf(deps, onboarding);
    await storeMissing(deps, making, onboarding, { partner, key: false, terminals: [] });
    const stored = await deps.partners.read(onboarding.partnerId);
    if (!stored) throw new Error("the partner is gone");
    await disablePartner(deps, stored, now);
    const stopped = depsOn(stopping(tables, { at, when: "after" }).tables);
    await storeMissing(stopped, making, onboarding, { partner: false, ...rest }).catch(() => {});
    await run(tables, onboarding);
    expect(await accepted(deps, onboarding)).toEqual({ partner: false, terminals: Array(TERMINALS).fill(true) });
    expect(await deps.partners.read(onboarding.partnerId)).toMatchObject({ partner: { disabledAt: now } });
  }
});
