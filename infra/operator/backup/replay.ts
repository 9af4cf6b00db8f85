import { isSameButForLost } from "../../../shared/domain/payment/operator/restore.ts";
import { keptAmount, ownCaptured } from "../../../shared/domain/payment/record/kept-money.ts";
import { wantedCharge } from "../../../shared/domain/payment/record/charge.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { everyRuleFor } from "../../../shared/domain/payment/life/rule-for.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import type { ExportedPayment } from "./read-payment.ts";

/**
 * The inconsistencies of a payment, as sentences. Its history must have no gap, contain only transitions of the table, and lead to the
 * payment's state. Its amounts must match its charges and discounts.
 */
export function troublesOf({ payment, history }: ExportedPayment): readonly string[] {
  return [
    ...history.flatMap((entry, i) => troublesOfEntry(entry, history[i - 1])),
    ...endOf(payment, history),
    ...amountsOf(payment),
  ];
}

function troublesOfEntry(entry: RecordedEntry, before: RecordedEntry | undefined): readonly string[] {
  const { sequence, event, from, to } = entry;
  const next = (before?.sequence ?? 0) + 1;
  return [
    ...(isSameButForLost(sequence, next) ? [] : [`its history goes from ${next - 1} to ${sequence}`]),
    ...(from === before?.to
      ? []
      : [`its change ${sequence} begins with ${from}, but the change before it ended with ${before?.to}`]),
    ...(isTransition(entry) ? [] : [`its change ${sequence} is not a transition: ${from} ${event} ${to}`]),
  ];
}

function isTransition({ event, from, to, recordedOnly }: RecordedEntry): boolean {
  if (event === "request") return from === undefined && to === "pending";
  if (recordedOnly) return from === to;
  return from !== undefined && everyRuleFor(from, event).some((rule) => rule.to === to);
}

function endOf({ status, sequence }: Payment, history: readonly RecordedEntry[]): readonly string[] {
  const last = history.at(-1);
  return [
    ...(last && isSameButForLost(sequence, last.sequence)
      ? []
      : [`its sequence is ${sequence}, but its history ends with ${last?.sequence ?? "nothing"}`]),
    ...(last?.to === status ? [] : [`it is ${status}, but its history ends with ${last?.to ?? "nothing"}`]),
  ];
}

function amountsOf(payment: Payment): readonly string[] {
  const { amounts, discounts } = payment;
  const applied = discounts.reduce((sum, { status, amount }) => sum + (status === "applied" ? amount : 0), 0);
  const wanted = wantedCharge(payment);
  const own = ownCaptured(payment);
  return [
    ...(applied === amounts.discounted
      ? []
      : [`its discounts add up to ${applied}, but its amounts say ${amounts.discounted}`]),
    ...(keptAmount(payment) <= amounts.captured ? [] : [`its kept charges exceed the captured ${amounts.captured}`]),
    ...(wanted?.status === "authorized" && own !== 0 ? [`its charge is not captured, but its amounts say ${own}`] : []),
    ...(wanted?.status === "captured" && own > wanted.amount
      ? [`${own} is captured of a charge of ${wanted.amount}`]
      : []),
  ];
}
