import type { PaymentKey } from "../../../../shared/ports/subjects.ts";
import type { Given } from "../command.ts";
import { identifier, required } from "../words.ts";

/** The options that identify one payment. */
export const paymentOptions = [
  required("--partner <partnerID>", "the partner of the payment", identifier),
  required("--session <sessionID>", "the payment's session", identifier),
];

export const paymentKey = (given: Given<typeof paymentOptions>): PaymentKey => ({
  partnerId: given.partner,
  sessionId: given.session,
});
