import { partner } from "../../shared/auth/authenticate.ts";
import { paymentObject, toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { paymentCaptureBody } from "../../shared/contracts/requests/payment-capture.ts";
import { respond, refusal } from "../../shared/http/response.ts";
import { moneyBody, success } from "../../shared/http/contract.ts";
import { defineEndpoint } from "../../shared/http/define-endpoint.ts";
import { capturePayment } from "../../shared/use-cases/payments/capture-payment.ts";
import type { AmendOwnPaymentDeps } from "../../shared/use-cases/payments/amend-own-payment.ts";

export const posPaymentCapture = defineEndpoint({
  auth: partner("payments"),
  name: "pos-payment-capture",
  method: "POST",
  route: "pos-payment-capture",
  summary: "Payment Capture",
  description: "Captures an authorized payment on the terminal, wholly or in part. A payment is captured once.",
  body: moneyBody(paymentCaptureBody),
  successes: {
    202: success("The message is sent to the terminal. A webhook reports the outcome.", paymentObject),
  },
  replays: true,
  problems: ["payment_not_found", "invalid_state", "terminal_mismatch"],
  handle: async (deps: AmendOwnPaymentDeps, call) => {
    const captured = await capturePayment(deps, call, call.body);
    if (!captured.ok) return refusal(captured.error);
    return respond(202, toPaymentObject(captured.value.payment), captured.value.replayed);
  },
});
