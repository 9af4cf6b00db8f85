import { paymentCancelBody } from "../../shared/contracts/payment-cancel.ts";
import { toPaymentObject } from "../../shared/contracts/payment-object.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { partnerFunction } from "../../shared/http/http-function.ts";
import { cancelPayment, type CancelPayment } from "../../shared/use-cases/cancel-payment.ts";

/** Asks the terminal to abandon a payment, or voids an authorization: 200 when it took effect at once, 202 when it is asked for. */
export const posPaymentCancel = (deps: CancelPayment) =>
  partnerFunction({
    name: "pos-payment-cancel",
    method: "POST",
    route: "pos-payment-cancel",
    scope: "payments",
    body: paymentCancelBody,
    handle: async ({ caller, body, traceparent }) => {
      const cancelled = await cancelPayment(deps, caller, body, traceparent);
      if (!cancelled.ok) return refusal(cancelled.error);
      const { payment, atOnce, replayed } = cancelled.value;
      return answer(atOnce ? 200 : 202, toPaymentObject(payment), replayed);
    },
  });
