import { partner } from "../../shared/edge/auth/authenticate.ts";
import { paymentObject, toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import type { Needs } from "../../shared/use-cases/needs.ts";
import { findUnfetched, readPayment, type ReadPaymentDeps } from "../../shared/use-cases/payments/read-payment.ts";

export const posPayment = defineEndpoint({
  auth: partner("payments", "reports"),
  name: "pos-payment",
  method: "GET",
  isRead: true,
  route: "pos-payment/{session_id}",
  summary: "Read Payment",
  description: "Reads a payment's current state.",
  notFound: "payment_not_found",
  problems: ["invalid_state"],
  successes: { 200: success("The payment's current state.", paymentObject) },
  handle: async (deps: ReadPaymentDeps & Needs<"inboxes">, call) => {
    const payment = await readPayment(deps, call, call.params["session_id"] ?? "");
    if (!payment.ok) return refusal(payment.error);
    return respond(200, toPaymentObject(payment.value, await findUnfetched(deps, payment.value)));
  },
});
