import { describe, expect, it } from "vitest";
import { advance, type Change } from "../../../shared/domain/payment/life/advance.ts";
import { requestDiscount } from "../../../shared/domain/payment/requests/discount.ts";
import { isGivenBack } from "../../../shared/domain/payment/record/charge.ts";
import {
  isFinal,
  paymentStates,
  type PaymentState,
  type Refund,
} from "../../../shared/domain/payment/record/payment.ts";
import { requestRefund } from "../../../shared/domain/payment/requests/refund.ts";
import {
  paymentEvents,
  reportTypes,
  type PaymentEvent,
  type ReportEvent,
} from "../../../shared/domain/payment/record/events.ts";
import { decideReport } from "../../../shared/domain/payment/reports/reports.ts";
import { guards } from "../../../shared/domain/payment/life/rules.ts";
import { chargeVerdictOf, isChargeReport } from "../../../shared/domain/payment/reports/charge-verdicts.ts";
import { rulesFor, verdictOf } from "../../../shared/domain/payment/life/transitions.ts";
import { refundReports, refundVerdictOf } from "../../../shared/domain/payment/life/verdicts.ts";
import { aCharge, aPaymentIn, now, timings } from "../../support/a-payment.ts";

const context = { now, commandId: "c2", timings };
const pairs = paymentStates.flatMap((state) => paymentEvents.map((event) => [state, event] as const));
const absent = pairs.filter(([state, event]) => rulesFor(state, event).length === 0);

const byPartner: readonly PaymentEvent[] = ["withdrawnByCancel", "cancel", "capture", "refund", "discount"];
const byOperator: readonly PaymentEvent[] = ["settledUnpaid", "settledPaid", "chargeKept", "corrected"];
const isReport = (event: PaymentEvent) => (reportTypes as readonly string[]).includes(event);

describe("the table of a payment's transitions", () => {
  it("reaches every state from pending", () => {
    const reached = new Set<PaymentState>(["pending"]);
    for (const state of reached)
      for (const event of paymentEvents) for (const rule of rulesFor(state, event)) reached.add(rule.to);
    expect([...reached].toSorted()).toEqual(paymentStates.toSorted());
  });

  it("has no transition out of a final state", () => {
    const left = pairs.filter(
      ([state, event]) => isFinal(state) && rulesFor(state, event).some((rule) => rule.to !== state),
    );
    expect(left).toEqual([]);
  });

  it("ends every list of guarded rules with one that always applies, so that every event has a rule", () => {
    const open = pairs.filter(([state, event]) => rulesFor(state, event).at(-1)?.when !== undefined);
    expect(open).toEqual([]);
    expect(Object.keys(guards).length).toBeGreaterThan(0);
  });

  it("leads from a state that may have charged a card to one without a charge only by a terminal's report or an operator", () => {
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

describe("a repeated report", () => {
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

describe("a report of the terminal's progress", () => {
  it.each(["acknowledged", "accepted", "amountLocked", "stillRunning", "started", "forgot"] as const)(
    "never contradicts: %s",
    (event) => {
      expect(paymentStates.filter((state) => verdictOf(state, event) === "contradicts")).toEqual([]);
    },
  );
});

describe("a pair of state and event that the table does not have", () => {
  /** The report contradicts the payment's own charge, which then waits for an operator. */
  const isFrozen = (state: PaymentState, event: PaymentEvent) => {
    const [own] = aPaymentIn(state).charges;
    return own && isChargeReport(event) && ["marks", "doubts"].includes(chargeVerdictOf(own.status, event));
  };
  const isOfNewCharge = (state: PaymentState, event: PaymentEvent) =>
    event === "authorized" || (event === "captured" && aPaymentIn(state).charges.length === 0 && isFinal(state));

  it.each(
    absent.filter(([state, event]) => isReport(event) && !isOfNewCharge(state, event) && !isFrozen(state, event)),
  )("%s, %s: the report is recorded and changes nothing", (state, event) => {
    const payment = aPaymentIn(state);
    const type = event as (typeof reportTypes)[number];
    const report = { reportId: "r1", type, chargeId: "charge-1", amount: 12_550, currency: "SEK" };
    const { payment: after, entry } = decideReport(payment, report, context, undefined);
    // The void of a charge that the books lack is remembered for its late approval.
    expect({ ...after, voidedUnknown: undefined, sequence: 0, updatedAt: "" }).toEqual({
      ...payment,
      sequence: 0,
      updatedAt: "",
    });
    expect(entry).toMatchObject({ sequence: 2, from: state, to: state, recordedOnly: true, reportId: "r1" });
  });

  it.each(absent.filter(([, event]) => byPartner.includes(event)))("%s, %s: the partner is refused", (state, event) => {
    const payment = aPaymentIn(state);
    if (event === "refund") {
      const request = { refundId: "f1", idAsReceived: "f1", names: ["f1"], amount: 100, reason: "" };
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

describe("a charge that no state accepts", () => {
  const second = { reportId: "r1", type: "authorized", chargeId: "charge-2", amount: 12_550, currency: "SEK" } as const;
  const states = paymentStates.filter((state) => rulesFor(state, "authorized").length === 0);

  it.each(states)("is reversed and raises an alert when the payment is %s, which stays unchanged", (state) => {
    const change = decideReport(aPaymentIn(state), second, context, undefined);
    expect(change.payment.status).toBe(state);
    expect(change.payment.charges.at(-1)).toMatchObject({ chargeId: "charge-2", status: "reversing" });
    expect(change.entry.alerts).toEqual([{ kind: "unwantedApproval", about: "charge-2" }]);
    expect(change.effects).toMatchObject([
      { kind: "message", message: { type: "void", chargeId: "charge-2", amount: 12_550 } },
      { kind: "webhook", type: "reversal.requested", about: "charge-2" },
      { kind: "alert", alert: "unwantedApproval", about: "charge-2" },
    ]);
    expect(change.payment.deadlines).toMatchObject([{ name: "reversal", about: "charge-2" }]);
  });

  it.each(states)("is recognised when it is reported again to a payment that is %s", (state) => {
    const { payment } = decideReport(aPaymentIn(state), second, context, undefined);
    const again = decideReport(payment, { ...second, reportId: "r2" }, context, undefined);
    expect(again.payment.charges).toEqual(payment.charges);
    expect(again.entry.alerts).toBeUndefined();
    expect(again.effects).toEqual([]);
  });

  it("only raises an alert when it is reported again with another amount", () => {
    const { payment } = decideReport(aPaymentIn("captured"), second, context, undefined);
    const changed = decideReport(payment, { ...second, reportId: "r2", amount: 1 }, context, undefined);
    expect(changed.payment.charges).toEqual(payment.charges);
    expect(changed.effects).toEqual([{ kind: "alert", alert: "chargeChanged", about: "charge-2" }]);
  });

  it("counts as the known charge with the same authorisation and reference: an alert, and no reversal", () => {
    const acquirer = { authorisationCode: "A1", rrn: "1" };
    const payment = aPaymentIn("captured", { charges: [aCharge("captured", { acquirer })] });
    const change = decideReport(payment, { ...second, acquirer }, context, undefined);
    expect(change.payment.charges).toEqual(payment.charges);
    expect(change.effects).toEqual([{ kind: "alert", alert: "chargeChanged", about: "charge-2" }]);
  });

  it("is recorded up to twenty times; one more only raises an alert", () => {
    const charges = Array.from({ length: 20 }, (_, i) => aCharge("reversed", { chargeId: `c${i}` }));
    const change = decideReport(aPaymentIn("captured", { charges }), second, context, undefined);
    expect(change.payment.charges).toHaveLength(20);
    expect(change.entry.alerts).toEqual([{ kind: "tooManyCharges", about: "charge-2" }]);
  });
});

describe("a payment that the operator resolved as paid", () => {
  const approval = { reportId: "r1", type: "authorized", chargeId: "late", amount: 12_550, currency: "SEK" } as const;

  it("takes the first charge of that amount for its own", () => {
    const change = decideReport(aPaymentIn("captured", { charges: [] }), approval, context, undefined);
    expect(change.payment).toMatchObject({ status: "captured", charges: [{ chargeId: "late", status: "captured" }] });
    expect(change.effects).toEqual([]);
  });
});

describe("a report that contradicts what is known", () => {
  const report = { reportId: "r1", amount: 12_550, currency: "SEK", acquirer: { authorisationCode: "A2" } };
  const isOfRefund = (event: PaymentEvent) => (refundReports as readonly PaymentEvent[]).includes(event);
  const pairs = absent.filter(([, event]) => isReport(event) && event !== "authorized" && !isOfRefund(event));
  const alertOf = (change: Change) => change.effects.find(({ kind }) => kind === "alert");

  it.each(pairs)("(%s, %s) raises an alert exactly if the table says that it contradicts", (state, event) => {
    const type = event as (typeof reportTypes)[number];
    const change = decideReport(aPaymentIn(state), { ...report, type, detail: "its words" }, context, undefined);
    const contradicts = verdictOf(state, type) === "contradicts";
    const [own] = aPaymentIn(state).charges;
    const ofCharge = isChargeReport(type) && own !== undefined && !isGivenBack(own);
    const detail = `${type} while the ${ofCharge ? `charge is ${own.status}` : `payment is ${state}`}: its words`;
    expect(alertOf(change)).toEqual(
      contradicts
        ? { kind: "alert", alert: "contradictingReport", about: ofCharge ? own.chargeId : undefined, detail }
        : undefined,
    );
  });

  const refund: Refund = {
    refundId: "f1",
    idAsReceived: "F1",
    names: [],
    amount: 100,
    reason: "",
    status: "pending",
    commandId: "m1",
    sequence: 2,
    createdAt: now,
    updatedAt: now,
  };
  it.each([
    ["refunded", "succeeded", undefined],
    ["refunded", "failed", "refunded while the refund is failed", "settledByOperator"],
    ["refundFailed", "succeeded", "refundFailed while the refund is succeeded"],
    ["refundFailed", "failed", undefined],
  ] as const)("(%s) is judged by the refund that it names, here one that %s", (type, status, detail, statusReason?) => {
    const payment = aPaymentIn("captured", { refunds: [{ ...refund, status, statusReason }] });
    for (const named of [{ refundId: "f1" }, { messageId: "m1" }]) {
      const change = decideReport(payment, { ...report, ...named, type, amount: refund.amount }, context, undefined);
      expect(change.payment.refunds).toEqual(payment.refunds);
      expect(alertOf(change)).toEqual(detail && { kind: "alert", alert: "contradictingReport", about: "f1", detail });
    }
  });

  it.each(paymentStates)("raises an alert for a made refund that was never requested: %s", (state) => {
    const change = (type: "refunded" | "refundFailed") =>
      decideReport(aPaymentIn(state), { ...report, type, refundId: "f9" }, context, undefined);
    expect(alertOf(change("refunded"))).toMatchObject({ about: "f9", detail: "refunded while the refund is unknown" });
    expect(alertOf(change("refundFailed"))).toBeUndefined();
  });

  it.each(refundReports)(
    "the tables of payments and refunds agree about a refund that was never requested: %s",
    (type) => {
      const without = paymentStates.filter((state) => rulesFor(state, "refund").length === 0);
      expect(new Set(without.map((state) => verdictOf(state, type)))).toEqual(
        new Set([refundVerdictOf("unknown", type)]),
      );
    },
  );

  it("does not count for an earlier try", () => {
    const awaiting = { commandId: "second", sequence: 8 };
    const payment = aPaymentIn("captured", { awaiting, sequence: 9 });
    const failed = { ...report, type: "captureFailed", messageId: "first" } as const;
    expect(decideReport(payment, failed, context, 4).entry.alerts).toBeUndefined();
    expect(decideReport(payment, { ...failed, messageId: "second" }, context, 8).entry.alerts).toEqual([
      { kind: "contradictingReport", about: "charge-1" },
    ]);
  });
});

describe("a failure that answers an earlier try", () => {
  it("does not change a capture that was requested again since", () => {
    const payment = aPaymentIn("captureRequested", { awaiting: { commandId: "second", sequence: 8 }, sequence: 8 });
    const report = { reportId: "r1", type: "captureFailed", chargeId: "charge-1", messageId: "first" } as const;
    expect(decideReport(payment, report, context, 4).payment.status).toBe("captureRequested");
    expect(decideReport(payment, { ...report, messageId: "second" }, context, 8).payment.status).toBe("authorized");
  });

  it("does not change a charge that a later try has reversed", () => {
    const reversal = { commandId: "second", sequence: 8, since: now };
    const charge = { ...aCharge("reversed"), reversal };
    const payment = aPaymentIn("voided", { charges: [charge], sequence: 9 });
    const report = { reportId: "r1", type: "voidFailed", chargeId: charge.chargeId, messageId: "first" } as const;
    expect(decideReport(payment, report, context, 4).entry.alerts).toBeUndefined();
    expect(decideReport(payment, { ...report, messageId: "second" }, context, 8).entry.alerts).toEqual([
      { kind: "contradictingReport", about: charge.chargeId },
    ]);
  });
});
