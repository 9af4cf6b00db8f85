import { advance, type Change } from "../../../shared/domain/payment/life/advance.ts";
import { beginReversal, reversalOverdue } from "../../../shared/domain/payment/reports/charges.ts";
import { refundable } from "../../../shared/domain/payment/record/kept-money.ts";
import { requestDiscount } from "../../../shared/domain/payment/requests/discount.ts";
import { percentOf } from "../../../shared/domain/payment/requests/reduction.ts";
import { payableAmount, paymentStates, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import { doubtRefund } from "../../../shared/domain/payment/requests/doubted-refund.ts";
import { requestRefund, concludeRefund } from "../../../shared/domain/payment/requests/refund.ts";
import { refundRequest } from "../../../shared/domain/payment/requests/refund-request.ts";
import { reportTypes } from "../../../shared/domain/payment/record/events.ts";
import { counting } from "../../../shared/domain/payment/record/report.ts";
import { decideReport } from "../../../shared/domain/payment/reports/reports.ts";
import type { Outcome } from "../../../shared/domain/payment/operator/resolution.ts";
import { decideResolution } from "../../../shared/domain/payment/operator/decide-resolution.ts";
import { aPaymentIn, type timings } from "../../support/a-payment.ts";
import { fc } from "../../support/drawn.ts";

/** An event that may happen to a payment, in any state and in any order. */
type Happening = (
  payment: Payment,
  context: { now: string; commandId: string; timings: typeof timings },
) => Change | undefined;

const amount = fc.oneof(fc.constantFrom(12_550, 12_550, 13_805, 16_315), fc.integer({ min: 0, max: 20_000 }));
const tipAmount = fc.option(fc.oneof(fc.constantFrom(0, 1_255, 3_765, 3_766), fc.nat(20_000)), { nil: undefined });
const changeOf = (result: { ok: boolean; value?: Change | "unchanged" }) =>
  result.ok && result.value !== "unchanged" ? result.value : undefined;

const report = fc
  .record({
    type: fc.constantFrom(...reportTypes),
    amount,
    tipAmount,
    currency: fc.constantFrom("SEK", "SEK", "SEK", "EUR"),
    chargeId: fc.constantFrom("charge-1", "charge-2", "charge-3"),
    rrn: fc.constantFrom("1", "2", undefined),
    index: fc.nat(3),
    message: fc.option(fc.nat(3), { nil: undefined }),
    answered: fc.option(fc.nat(20), { nil: undefined }),
    agoMs: fc.option(fc.nat(200_000), { nil: undefined }),
    id: fc.uuid(),
  })
  .map(
    ({ type, amount, tipAmount, currency, chargeId, rrn, index, message, answered, agoMs, id }): Happening =>
      (payment, context) => {
        const { refundId } = payment.refunds[index] ?? {};
        const { commandId: messageId } = payment.refunds[message ?? Infinity] ?? {};
        const { discountId } = payment.discounts[index] ?? {};
        const names = { messageId, chargeId, refundId, discountId };
        const reported = {
          reportId: id,
          type,
          amount,
          tipAmount,
          currency,
          agoMs,
          ...names,
          acquirer: { authorisationCode: "A1", rrn },
        };
        return decideReport(payment, counting(payment, reported), context, answered);
      },
  );

const platform = fc
  .constantFrom(
    "withdrawnByCancel",
    "cancel",
    "withdrawnByDeadline",
    "acceptanceOverdue",
    "expiryOverdue",
    "answerOverdue",
    "captureOverdue",
    "outcomeOverdue",
    "doubtOverdue",
    "messageWithdrawn",
    "started",
    "forgot",
  )
  .map(
    (event): Happening =>
      (payment, context) =>
        advance(payment, { ...context, event, by: event.includes("ancel") ? "partner" : "platform" }),
  );

const chargeNames = fc.constantFrom("charge-1", "charge-2", "charge-3");
const businessDay = fc.option(fc.constantFrom("2026-11-20", "2026-11-21"), { nil: undefined });
type Drawn<O extends Outcome> = O extends { readonly refundId: string }
  ? Omit<O, "refundId"> & { refundId: number }
  : O extends { readonly discountId: string }
    ? Omit<O, "discountId"> & { discountId: number }
    : O;

/** Replaces the outcome's number of a refund or discount by the name of that refund or discount of the payment. */
function namedIn({ refunds, discounts }: Payment, said: Drawn<Outcome>): Outcome {
  if ("refundId" in said) return { ...said, refundId: refunds[said.refundId]?.refundId ?? "" };
  return "discountId" in said ? { ...said, discountId: discounts[said.discountId]?.discountId ?? "" } : said;
}

const resolution = fc
  .oneof(
    fc.record({
      of: fc.constant("payment" as const),
      outcome: fc.constantFrom("paid" as const, "unpaid" as const),
      amount: fc.option(fc.constantFrom(125.5, 138.05, 100, 200), { nil: undefined }),
      tip: fc.option(fc.constantFrom(0, 12.55, 50), { nil: undefined }),
      chargeId: fc.option(chargeNames, { nil: undefined }),
    }),
    fc.record({
      of: fc.constant("charge" as const),
      outcome: fc.constantFrom("reversed" as const, "kept" as const),
      chargeId: chargeNames,
    }),
    fc.record({
      of: fc.constant("refund" as const),
      outcome: fc.constantFrom("succeeded" as const, "failed" as const),
      refundId: fc.nat(3),
    }),
    fc.record({
      of: fc.constant("discount" as const),
      outcome: fc.constantFrom("applied" as const, "refused" as const),
      discountId: fc.nat(3),
    }),
  )
  .chain((said) => fc.record({ said: fc.constant(said), isAlerted: fc.boolean(), businessDay }))
  .map(({ said, isAlerted, businessDay }): Happening => (payment, context) => {
    const named = namedIn(payment, said);
    return changeOf(
      decideResolution(payment, { ...named, by: "ada", why: "", businessDay }, { ...context, isAlerted }),
    );
  });
const reversalNext = fc.constant<Happening>((payment, context) => beginReversal(payment, context));

const reversalOver = fc
  .record({ index: fc.nat(3), isUnfetched: fc.boolean() })
  .map(({ index, isUnfetched }): Happening => (payment, context) => {
    const charge = payment.charges[index];
    return charge && reversalOverdue(payment, charge, isUnfetched, context);
  });

const capture = amount.map((captureAmount): Happening => (payment, context) => {
  if (captureAmount === 0 || captureAmount > payment.amounts.authorized) return undefined;
  return advance(payment, { ...context, event: "capture", by: "partner", set: { captureAmount } });
});

/** Amounts at the edge of the allowed range find more errors than random ones. */
const atTheEdge = (left: number) =>
  fc.oneof(fc.integer({ min: 1, max: 8_000 }), fc.constantFrom(left, left + 1, left - 1));

/** So few names that they are reused, as a refundID in either spelling and as a key. */
const refundNames = ["aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002"] as const;
const spellings = refundNames.flatMap((name) => [name, name.toUpperCase()]);
const noName = { weight: 2, arbitrary: fc.constant(undefined) };
/** The refundID in the response to an earlier refund, however the refund was named. */
const shown = fc.constantFrom(-1, -1, -2).map((index) => ({ index }));
const spelled = ({ refunds }: Payment, name: string | { index: number } | undefined) =>
  typeof name === "object" ? refunds.at(name.index)?.idAsReceived : name;

const refundAmount = fc.oneof(
  fc.constantFrom(2_500, 5_000).map((amount) => () => amount),
  fc.integer({ min: 1, max: 8_000 }).map((amount) => () => amount),
  fc.constantFrom(-1, 0, 1).map((more) => (left: number) => left + more),
);

const refund = fc
  .record({
    amountOf: refundAmount,
    refundId: fc.oneof(noName, fc.constantFrom(...spellings), shown),
    idempotencyKey: fc.oneof(noName, fc.constantFrom("return 77", ...spellings), shown),
    reason: fc.constantFrom("cold", "cold", "late"),
    charge: fc.option(chargeNames, { nil: undefined }),
    id: fc.uuid(),
  })
  .map(({ amountOf, refundId, idempotencyKey, reason, charge, id }): Happening => (payment, context) => {
    const chargeId = payment.charges.some(({ status }) => status === "kept") ? charge : undefined;
    const left = refundable(payment, chargeId);
    const input = {
      currency: payment.currency,
      refundAmount: amountOf(left) / 100,
      reason,
      refundId: spelled(payment, refundId),
      idempotencyKey: spelled(payment, idempotencyKey),
      chargeId,
    };
    const request = refundRequest(payment, input, () => id);
    return request.ok ? changeOf(requestRefund(payment, request.value, context)) : undefined;
  });
const refundOverdue = fc
  .record({ index: fc.nat(3), withdrawn: fc.boolean() })
  .map(({ index, withdrawn }): Happening => (payment, context) => {
    const overdue = payment.refunds[index];
    if (overdue?.status !== "pending") return undefined;
    const { status } = { status: "failed" as const };
    return withdrawn
      ? concludeRefund(payment, overdue, { status }, { ...context, by: "platform" })
      : doubtRefund(payment, overdue, context);
  });
const discount = fc
  .record({ pick: fc.gen(), percent: fc.option(fc.constantFrom(10, 33.33), { nil: undefined }), id: fc.uuid() })
  .map(({ pick, percent, id }): Happening => (payment, context) => {
    const amount = percent === undefined ? pick(atTheEdge, payableAmount(payment)) : percentOf(payment, percent);
    return changeOf(requestDiscount(payment, { discountId: id, percent, amount }, context));
  });

/** The events of a payment, one after the other. */
export const happenings = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: report },
    { weight: 3, arbitrary: platform },
    resolution,
    reversalOver,
    reversalNext,
    capture,
    { weight: 3, arbitrary: refund },
    refundOverdue,
    discount,
  ),
  {
    minLength: 1,
    maxLength: 40,
  },
);
/** A payment in any state. */
export const start = fc
  .record({
    status: fc.constantFrom("pending", "pending", "captured", "captured", ...paymentStates),
    captureMode: fc.constantFrom("manual" as const, "automatic" as const),
    lateApproval: fc.constantFrom("void" as const, "keep" as const),
    tip: fc.option(
      fc.boolean().map((asked) => ({ percents: [10], amounts: [1_000], custom: true, maximumPercent: 30, asked })),
      { nil: undefined },
    ),
  })
  .map(({ status, ...more }) => aPaymentIn(status, more));
