import type { Change } from "../life/advance.ts";
import { answerDiscount, isOffered } from "../requests/discount.ts";
import type { Payment } from "../record/payment.ts";
import type { Report } from "../record/report.ts";
import type { ReportStep } from "./reported.ts";

/** The change by a report of a discount that it names, or of the message that it answers. Undefined if that is not offered any more. */
export function discountReported(
  payment: Payment,
  { type, messageId, discountId }: Report,
  step: ReportStep,
): Change | undefined {
  const discount = payment.discounts.find((d) =>
    discountId === undefined ? d.commandId === messageId : d.discountId === discountId,
  );
  if (!discount || !isOffered(discount)) return undefined;
  return answerDiscount(payment, discount, type === "discountApplied" ? "applied" : "refused", step);
}
