import * as z from "zod";
import { lacksScope, partner } from "../../shared/edge/auth/authenticate.ts";
import { bindingKey } from "../../shared/contracts/fields.ts";
import { paymentObject, toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { paymentCancelBody } from "../../shared/contracts/requests/payment-cancel.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { requestBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { withdrawRefund, type WithdrawRefundDeps } from "../../shared/use-cases/payments/withdraw-refund.ts";
import { cancelPayment, type CancelPaymentDeps } from "../../shared/use-cases/payments/cancel-payment.ts";

export const posPaymentCancel = defineEndpoint({
  auth: partner("payments", "refunds"),
  name: "pos-payment-cancel",
  method: "POST",
  route: "pos-payment-cancel",
  summary: "Payment Cancel",
  description:
    "Asks the terminal to abandon a payment, or voids an authorization. Refund a captured payment instead. A capture that the terminal has not fetched is withdrawn. Cancelling a session that was never requested succeeds with 404 `payment_never_requested`. With a `refundID` it withdraws that refund, and nothing else.",
  parameters: { header: z.object({ "Idempotency-Key": bindingKey }) },
  body: requestBody(paymentCancelBody),
  successes: {
    200: success("The payment is cancelled: no card is charged. Or the refund is withdrawn.", paymentObject),
    202: success("The message is sent to the terminal. A webhook reports the outcome.", paymentObject),
  },
  replays: true,
  problems: [
    "forbidden",
    "idempotency_mismatch",
    "idempotency_in_progress",
    "payment_not_found",
    "payment_never_requested",
    "invalid_state",
    "terminal_mismatch",
  ],
  handle: async (deps: CancelPaymentDeps & WithdrawRefundDeps, call) => {
    const { refundId, ...target } = { ...call.body, idempotencyKey: call.parameters["Idempotency-Key"] };
    const lacking = lacksScope(call.caller, refundId === undefined ? "payments" : "refunds");
    if (lacking) return refusal(lacking);
    if (refundId !== undefined) {
      const withdrawn = await withdrawRefund(deps, call, { ...target, refundId });
      if (!withdrawn.ok) return refusal(withdrawn.error);
      return respond(200, toPaymentObject(withdrawn.value.payment), withdrawn.value.replayed);
    }
    const cancelled = await cancelPayment(deps, call, target);
    if (!cancelled.ok) return refusal(cancelled.error);
    const { payment, atOnce, replayed } = cancelled.value;
    return respond(atOnce ? 200 : 202, toPaymentObject(payment), replayed);
  },
});
