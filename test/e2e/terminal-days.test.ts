import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { dayInUtc } from "../../packages/terminal/simulated/business-day.ts";
import type { DayClosing } from "../../packages/terminal/simulated/terminal-client.ts";
import type { EventPageObject } from "../../shared/contracts/events/event-page.ts";
import type { TerminalDayObject } from "../../shared/contracts/objects/terminal-day.ts";
import { partnerFor } from "../support/partner.ts";
import type { PartnerName } from "../support/running-stack.ts";
import { waitFor } from "../support/wait-for.ts";

// A terminal's business day, from its first payment to its closing. The terminals name a day on which no other test makes payments.

const businessDay = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** A partner with a terminal that the test plays, and that closes its day. */
function shop(name: PartnerName) {
  const whole = partnerFor(name);
  const { pointOfServiceID } = whole.partner.terminals.silent;
  const { send, silent } = whole;
  const day = async () =>
    (await send<TerminalDayObject>("GET", `/pointOfServices/${pointOfServiceID}/days/${businessDay}`)).body;
  return {
    ...whole,
    pointOfServiceID,
    day,
    /** Takes a payment of 125.50 SEK, captured at once; returns its charge. */
    async takes(more: Record<string, unknown> = {}): Promise<{ sessionID: string; chargeID: string }> {
      await silent.online();
      const body = whole.request({ captureMode: "automatic", ...more });
      await whole.pay(body);
      const message = await silent.begin(body.sessionID);
      const chargeID = randomUUID();
      await silent.sendReport(message, "authorized", { chargeID, businessDay });
      await whole.until(body.sessionID, "captured");
      return { sessionID: body.sessionID, chargeID };
    },
    closes: (totals: Partial<DayClosing["totals"][number]>, more: Partial<DayClosing> = {}) =>
      silent.client.closeDay({ closingID: randomUUID(), businessDay, totals: [{ ...nothing, ...totals }], ...more }),
    until: (status: string) => waitFor(`a day that is ${status}`, day, { until: (found) => found.status === status }),
    /** The events of the day in the partner's feed, once there are this many. */
    events(count: number): Promise<string[]> {
      const events = async () => {
        const { body } = await send<EventPageObject>("GET", "/events");
        return body.events.map(({ type }) => type).filter((type) => type.startsWith("day."));
      };
      return waitFor(`${count} events of the day`, events, { until: (types) => types.length >= count });
    },
  };
}

const nothing = { currency: "SEK", captures: 0, captured: 0, refunds: 0, refunded: 0, reversals: 0, reversed: 0 };
describe("a terminal's day", () => {
  it("goes from its first payment through a refund to day.closed, and differs once a charge comes late", async () => {
    const { closes, day, events, pointOfServiceID, refund, silent, takes, until } = shop("terminal days");
    await takes();
    expect(await day()).toMatchObject({ pointOfServiceID, businessDay, status: "open", differences: [] });
    const second = await takes();
    await refund({ sessionID: second.sessionID, pointOfServiceID }, 25.5);
    const message = await silent.reach("refund", second.sessionID);
    await silent.sendReport(message, "refunded", { refundID: message.refundID, businessDay });

    const closing = { closingID: randomUUID(), lastChargeID: second.chargeID };
    const totals = { captures: 2, captured: 251, refunds: 1, refunded: 25.5 };
    expect(await closes(totals, closing)).toBe(200);
    expect(await closes(totals, closing)).toBe(200);
    expect(await closes({}, closing)).toBe(422);
    expect(await until("closed")).toMatchObject({
      closingID: closing.closingID,
      lastChargeID: second.chargeID,
      terminalTotals: [{ ...nothing, ...totals }],
      bookedTotals: [{ ...nothing, ...totals }],
      differences: [],
    });

    const third = await takes({ totalAmountInclVat: 80, totalVatAmount: 16 });
    expect(await until("differs")).toMatchObject({
      differences: [{ kind: "charge", more: "books", names: [third.chargeID] }],
    });
    expect(await closes({ ...totals, captures: 3, captured: 331 })).toBe(200);
    expect(await until("closed")).toMatchObject({ differences: [] });
    expect(await events(3)).toEqual(["day.closed", "day.differs", "day.closed"]);
  });

  it("of a terminal that lies differs once the grace time is over, and names the charge that it left out", async () => {
    const { closes, events, takes, until } = shop("terminal days, lying");
    const { chargeID: lastChargeID } = await takes();
    const hidden = await takes({ totalAmountInclVat: 80, totalVatAmount: 16 });
    expect(await closes({ captures: 1, captured: 125.5 }, { lastChargeID })).toBe(200);
    await until("comparing");
    expect(await until("differs")).toMatchObject({
      differences: [
        {
          kind: "charge",
          more: "books",
          terminal: { count: 1, amount: 125.5 },
          booked: { count: 2, amount: 205.5 },
          names: [hidden.chargeID],
        },
      ],
    });
    expect(await events(1)).toEqual(["day.differs"]);
  });

  it("of a terminal on autopilot is closed automatically, and again after a refund and another payment", async () => {
    const { onAutopilot, partner, pay, read, refund, send, until } = partnerFor("terminal days");
    const { pointOfServiceID } = partner.terminals.autopilot;
    const takes = async (totalAmountInclVat: number) => {
      const body = onAutopilot({ captureMode: "automatic", totalAmountInclVat, totalVatAmount: 16 });
      await pay(body);
      await until(body.sessionID, "captured");
      return body;
    };
    const closed = (totals: Partial<DayClosing["totals"][number]>) => {
      const path = `/pointOfServices/${pointOfServiceID}/days/${dayInUtc()}`;
      return waitFor("the day closed", async () => (await send<TerminalDayObject>("GET", path)).body, {
        until: ({ status, terminalTotals }) => status === "closed" && terminalTotals?.[0]?.captures === totals.captures,
      });
    };
    const { sessionID } = await takes(100.2); // minor digits that have the terminal close its day
    expect((await closed({ captures: 1 })).terminalTotals).toEqual([{ ...nothing, captures: 1, captured: 100.2 }]);
    await refund({ sessionID, pointOfServiceID }, 25.5);
    await expect.poll(async () => (await read(sessionID)).amounts.refunded).toBe(25.5);
    await takes(80.2);
    expect((await closed({ captures: 2 })).terminalTotals).toEqual([
      { ...nothing, captures: 2, captured: 180.4, refunds: 1, refunded: 25.5 },
    ]);
  });

  it("is refused if it is invalid, too far away, or has a sum that is not an amount", async () => {
    const { closes, pointOfServiceID, refused } = shop("terminal days");
    expect(await refused("GET", `/pointOfServices/${pointOfServiceID}/days/tomorrow`)).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "date" }] },
    });
    expect(await closes({}, { businessDay: "2001-01-01" })).toBe(422);
    expect(await closes({ captures: 1, captured: 0.001 })).toBe(422);
  });
});
