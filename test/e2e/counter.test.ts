import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startCounter, type Counter } from "../../packages/workbench/live/counter.ts";
import type { TerminalAction } from "../../packages/workbench/live/views/terminals.ts";
import type { DemoTerminal } from "../../infra/operator/common/seed.ts";
import { terminalClient } from "../../packages/terminal/simulated/terminal-client.ts";
import { partnerOn } from "../support/partner.ts";
import { skippedIf } from "../support/skipped.ts";
import { aPlatform } from "../../packages/terminal/test/unit/simulated/a-platform.ts";

const stack = inject("stack");
const { counter: terminal } = stack.demo.terminals;

const because = skippedIf(!terminal, "the stack has no terminal on the counter");

describe.skipIf(!terminal)(`the terminal on the counter, in a person's hands${because}`, () => {
  const id = terminal?.pointOfServiceID ?? "";
  const partner = partnerOn(stack, stack.demo);
  let counter: Counter;
  beforeAll(() => {
    // The stack runs the autopilot. The counter's own autopilot is at another platform, which has no messages for it.
    const clientOf = ({ pointOfServiceID, terminalKey }: DemoTerminal) =>
      pointOfServiceID === id ? terminalClient({ ...stack, terminalKey }) : aPlatform().client;
    counter = startCounter(stack, { changed: () => {}, paceMs: 10, clientOf });
  });
  afterAll(() => counter.stop());

  const view = () => counter.views().find((one) => one.id === id);
  const act = (action: TerminalAction) => counter.atTerminal(id, action);
  /** Requests a payment, and waits until the display prompts for a card. */
  async function offered(): Promise<string> {
    await expect.poll(async () => (await partner.status(id)).statusCode).toBe("available");
    const body = partner.request({ pointOfServiceID: id, captureMode: "automatic", expiresInSeconds: 60 });
    await expect.poll(() => partner.pay(body)).toMatchObject({ status: 202 });
    await expect.poll(() => view()?.display).toMatchObject({ mode: "payment", amount: 12_550, vat: 2_510 });
    return body.sessionID;
  }

  it("takes a payment by a tap, and a second card's charge for it is given back", async () => {
    const session = await offered();
    await act({ do: "tap" });
    expect(await partner.until(session, "captured")).toMatchObject({ amounts: { captured: 125.5 } });
    await act({ do: "secondCard" });
    await expect
      .poll(async () => (await partner.read(session)).charges)
      .toMatchObject([{ status: "captured" }, { status: "reversed" }]);
  });

  it("leaves the payment in doubt if the plug is pulled and its memory lost, and guesses nothing", async () => {
    const session = await offered();
    await act({ do: "pullPlug", forget: true });
    await act({ do: "powerOn" });
    expect(await partner.until(session, "reconciling")).toMatchObject({ amounts: { captured: 0 } });
    await expect(act({ do: "tap" })).rejects.toThrow("There is nothing to pay at this terminal.");
  });
});
