import type { ResolutionRefusal } from "../../../shared/domain/payment/operator/resolution.ts";
import type { Refusal } from "../../../shared/domain/refusal.ts";

/**
 * The sentences that explain why an operator's decision about a payment is rejected. Pure.
 *
 * @param named how the operator knows a field: as an option of the command line, or as a word of the page
 */
export function whyRefused(
  refusal: Refusal<"payment_not_found" | ResolutionRefusal>,
  named: (field: string) => string,
): string {
  switch (refusal.code) {
    case "payment_not_found":
      return "There is no such payment.";
    case "validation_failed":
      return refusal.errors.map(({ field, message }) => `${named(field)} ${message}.`).join(" ");
    case "invalid_state":
      return `${refusal.detail ?? "There is nothing of that kind to resolve."} The payment is ${refusal.currentStatus}.`;
  }
}
