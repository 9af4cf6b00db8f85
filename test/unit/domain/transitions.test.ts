import { describe, expect, it } from "vitest";
import { advance } from "../../../shared/domain/payment/advance.ts";
import { requestDiscount } from "../../../shared/domain/payment/discount.ts";
import { isFinal, paymentStates, type PaymentState } from "../../../shared/domain/payment/payment.ts";
import { requestRefund } from "../../../shared/domain/payment/refund.ts";
import {
  paymentEvents,
  reportTypes,
  type PaymentEvent,
  type ReportEvent,
} from "../../../shared/domain/payment/events.ts";
import { decideReport } from "../../../shared/domain/payment/reports.ts";
import { guards } from "../../../shared/domain/payment/rules.ts";
import { rulesFor, verdictOf } from "../../../shared/domain/payment/transitions.ts";
import { aPaymentIn, now, timings } from "../../support/a-payment.ts";

const context = { now, commandId: "c2", timings };
const pairs = paymentStates.flatMap((state) => paymentEvents.map((event) => [state, event] as const));
const absent = pairs.filter(([state, event]) => rulesFor(state, event).length === 0);

const byPartner: readonly PaymentEvent[] = ["withdrawnByCancel", "cancel", "capture", "refund", "discount"];
const byOperator: readonly PaymentEvent[] = ["settledUnpaid", "settledPaid"];
const isReport = (event: PaymentEvent) => (reportTypes as readonly string[]).includes(event);

describe("the table of a payment's life", () => {
  it("reaches every state from pending", () => {
    const reached = new Set<PaymentState>(["pending"]);
    for (const state of reached)
      for (const event of paymentEvents) for (const rule of rulesFor(state, event)) reached.add(rule.to);
    expect([...reached].toSorted()).toEqual(paymentStates.toSorted());
  });

  it("lets nothing out of a final state", () => {
    const left = pairs.filter(
      ([state, event]) => isFinal(state) && rulesFor(state, event).some((rule) => rule.to !== state),
    );
    expect(left).toEqual([]);
  });

  it("ends every list of guarded rules with one that always holds, so that no event falls through", () => {
    const open = pairs.filter(([state, event]) => rulesFor(state, event).at(-1)?.when !== undefined);
    expect(open).toEqual([]);
    expect(Object.keys(guards).length).toBeGreaterThan(0);
  });

  it("never leads from a state that may have charged a card to one that says it did not, but by the terminal's or operator's word", () => {
    const mayHaveCharged: readonly PaymentState[] = ["reconciling", "cancelRequested", "inProgress"];
    const uncharged: readonly PaymentState[] = ["cancelled", "expired", "declined", "failed"];
    const guessed = pairs.filter(
      ([state, event]) =>
        mayHaveCharged.includes(state) &&
        !isReport(event) &&
        !byOperator.includes(event) &&
        rulesFor(state, event).some((rule) => uncharged.includes(rule.to)),
    );
    expect(guessed).toEqual([]);
  });
});

describe("a report that is told twice", () => {
  const moves = pairs.flatMap(([state, event]) =>
    isReport(event) ? rulesFor(state, event).map(({ to }) => ({ state, event: event as ReportEvent, to })) : [],
  );
  /** A second approval is another charge, unless its authorisation is known. */
  const isApproval = (event: ReportEvent) => event === "authorized" || event === "authorizedOtherAmount";

  it("does not contradict the state that it led to", () => {
    expect(moves.length).toBeGreaterThan(40);
    const contradicted = moves.filter(({ event, to }) => !isApproval(event) && verdictOf(to, event) === "contradicts");
    expect(contradicted).toEqual([]);
  });
});

describe("a report of how far the terminal is", () => {
  it.each(["acknowledged", "accepted", "amountLocked", "stillRunning", "started"] as const)(
    "never contradicts: %s",
    (event) => {
      expect(paymentStates.filter((state) => verdictOf(state, event) === "contradicts")).toEqual([]);
    },
  );
});

describe("a pair of state and event that the table does not have", () => {
  it.each(absent.filter(([, event]) => isReport(event)))(
    "%s, %s: the report is recorded and changes nothing",
    (state, event) => {
      const payment = aPaymentIn(state);
      const type = event as (typeof reportTypes)[number];
      const report = { reportId: "r1", type, amount: 12_550, currency: "SEK", acquirer: { authorisationCode: "A2" } };
      const { payment: after, entry } = decideReport(payment, report, context, undefined);
      expect({ ...after, sequence: 0, updatedAt: "", approvals: [] }).toEqual({
        ...payment,
        sequence: 0,
        updatedAt: "",
        approvals: [],
      });
      expect(entry).toMatchObject({ sequence: 2, from: state, to: state, recordedOnly: true, reportId: "r1" });
    },
  );

  it.each(absent.filter(([, event]) => byPartner.includes(event)))("%s, %s: the partner is refused", (state, event) => {
    const payment = aPaymentIn(state);
    if (event === "refund") {
      const request = { refundId: "f1", identity: "f1", amount: 100, reason: "" };
      expect(requestRefund(payment, request, context)).toMatchObject({
        ok: false,
        error: { code: "invalid_state", currentStatus: state },
      });
    } else if (event === "discount") {
      const discount = { discountId: "d1", amount: 100 };
      expect(requestDiscount(payment, discount, context)).toMatchObject({
        ok: false,
        error: { code: "invalid_state", currentStatus: state },
      });
    } else {
      expect(advance(payment, { ...context, event, by: "partner" })).toBeUndefined();
    }
  });

  it.each(absent.filter(([, event]) => !isReport(event) && !byPartner.includes(event)))(
    "%s, %s: nothing happens",
    (state, event) => {
      expect(advance(aPaymentIn(state), { ...context, event, by: "platform" })).toBeUndefined();
    },
  );
});

describe("an approval", () => {
  it.each(["cancelled", "declined", "expired", "failed", "voided"] as const)(
    "that is new when the payment is %s is voided and calls somebody",
    (state) => {
      const report = {
        reportId: "r1",
        type: "authorized",
        amount: 12_550,
        currency: "SEK",
        acquirer: { authorisationCode: "A9" },
      } as const;
      const change = decideReport(aPaymentIn(state), report, context, undefined);
      expect(change.entry.alert).toBe(true);
      expect(change.effects).toMatchObject([{ kind: "message", message: { type: "void", amount: 12_550 } }]);
      const again = decideReport(change.payment, { ...report, reportId: "r2" }, context, undefined);
      expect(again.entry.alert).toBeUndefined();
      expect(again.effects).toEqual([]);
    },
  );
});

describe("a failure that answers an earlier try", () => {
  it("says nothing of a capture that was since asked for again", () => {
    const payment = aPaymentIn("captureRequested", { awaiting: { commandId: "second", sequence: 8 }, sequence: 8 });
    const report = { reportId: "r1", type: "captureFailed", messageId: "first" } as const;
    expect(decideReport(payment, report, context, 4).payment.status).toBe("captureRequested");
    expect(decideReport(payment, { ...report, messageId: "second" }, context, 8).payment.status).toBe("authorized");
  });
});
