import { paymentCaptureBody } from "../../shared/contracts/payment-capture.ts";
import { toPaymentObject } from "../../shared/contracts/payment-object.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { partnerFunction } from "../../shared/http/http-function.ts";
import { capturePayment } from "../../shared/use-cases/capture-payment.ts";
import type { ChangePayment } from "../../shared/use-cases/change-payment.ts";

/** Has the terminal capture an authorized payment, wholly or in part, once. */
export const posPaymentCapture = (deps: ChangePayment) =>
  partnerFunction({
    name: "pos-payment-capture",
    method: "POST",
    route: "pos-payment-capture",
    scope: "payments",
    body: paymentCaptureBody,
    handle: async ({ caller, body, traceparent }) => {
      const captured = await capturePayment(deps, caller, body, traceparent);
      if (!captured.ok) return refusal(captured.error);
      return answer(202, toPaymentObject(captured.value.payment), captured.value.replayed);
    },
  });
