import type { Refusal } from "../../domain/refusal.ts";
import { lacksPayment, type StoredPayment, type Tombstone } from "../../stores/payments.ts";

export type NoPayment = Refusal<"payment_not_found" | "invalid_state">;

/** The detail of a refusal for a session whose payment a restore could not read. */
export const UNREADABLE =
  "The operator cannot read this payment any more, and looks for its outcome. Ask the operator before you charge the customer again.";

/** Whether the session has a payment that can be read. */
export const isPayment = (found: StoredPayment | Tombstone | undefined): found is StoredPayment =>
  found !== undefined && !lacksPayment(found);

/** The refusal of a request for a session in which the caller finds no payment. If the payment is unreadable, a card may have been charged. */
export const whyNoPayment = (found: StoredPayment | Tombstone | undefined): NoPayment =>
  found && lacksPayment(found) && found.unreadable
    ? { code: "invalid_state", detail: UNREADABLE }
    : { code: "payment_not_found" };
