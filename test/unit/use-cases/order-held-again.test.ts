import { describe, expect, it } from "vitest";
import { aPlatform } from "../../support/platform.ts";
import { aTill } from "../../support/tills.ts";

const HOUR = 3600;

/** Two tills of a strict merchant, and a sale of the order that was declined, or approved. */
async function anOrder(outcome: "declined" | "authorized") {
  const platform = await aPlatform();
  const tills = [await aTill(platform, { strictOrders: true }), await aTill(platform, { strictOrders: true })] as const;
  const { sessionId } = await tills[0].ask("order");
  await platform.pass();
  await tills[0].sendReport(sessionId, outcome);
  await platform.pass();
  const second = { chargeId: "charge-2", acquirer: { authorisationCode: "second" } };
  return {
    sessionId,
    till: tills[0],
    /** A card is charged for the ended payment. */
    async chargeAgain() {
      await tills[0].sendReport(sessionId, "authorized", second);
      await platform.pass();
    },
    async giveBackInVain() {
      for (const pause of [6, 12, 24, 48, 96, 6]) {
        await tills[0].fetchAll();
        await tills[0].sendReport(sessionId, "voidFailed", second);
        await platform.pass(pause * HOUR + 1);
      }
      expect((await tills[0].find(sessionId)).charges.at(-1)?.status).toBe("reversalFailed");
    },
    async giveBack() {
      await tills[0].sendReport(sessionId, "voided", second);
      await platform.pass();
    },
    /** Requests a second payment of the same order at the other terminal. */
    async sellAgain() {
      await platform.deps.terminals.seen(tills[1].terminalId, platform.deps.clock.now());
      const { answer, sessionId: other } = await tills[1].ask("order");
      await platform.pass();
      if (!answer.ok) return answer.error.code;
      const { status, statusReason, possibleDuplicateOf } = await tills[1].find(other);
      await tills[1].sendReport(other, "declined");
      await platform.pass();
      return possibleDuplicateOf === sessionId ? "marked" : (statusReason ?? status);
    },
  };
}

describe("a strict order whose payment ended without money", () => {
  it("is free", async () => {
    const order = await anOrder("declined");
    expect(await order.sellAgain()).toBe("pending");
  });

  it("is marked while a late charge is being reversed, and free after that", async () => {
    const order = await anOrder("declined");
    await order.chargeAgain();
    expect(await order.sellAgain()).toBe("marked");
    await order.giveBack();
    expect(await order.sellAgain()).toBe("pending");
  });

  it("is paid by a late charge that cannot be reversed", async () => {
    const order = await anOrder("declined");
    await order.chargeAgain();
    await order.giveBackInVain();
    expect(await order.sellAgain()).toBe("possible_duplicate");
    await order.giveBack();
    expect(await order.sellAgain()).toBe("pending");
  });
});

describe("a strict order that was paid, and refunded in full", () => {
  it("is free", async () => {
    const order = await anOrder("authorized");
    await order.till.giveBack(order.sessionId);
    expect(await order.sellAgain()).toBe("pending");
  });

  it("is not free while a second charge of its payment is with the merchant", async () => {
    const order = await anOrder("authorized");
    await order.chargeAgain();
    await order.giveBackInVain();
    await order.till.giveBack(order.sessionId);
    expect(await order.sellAgain()).toBe("possible_duplicate");
  });
});
