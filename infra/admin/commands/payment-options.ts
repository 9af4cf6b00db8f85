import type { PaymentKey } from "../../../shared/ports/subjects.ts";
import { identifier, required } from "../words.ts";

/** The options that name one payment. */
export const paymentOptions = {
  partner: required(identifier("partnerID", "the partner of the payment")),
  session: required(identifier("sessionID", "the payment's session")),
};

export const paymentKey = (given: { readonly partner: string; readonly session: string }): PaymentKey => ({
  partnerId: given.partner,
  sessionId: given.session,
});
