import { toPaymentObject } from "../../shared/contracts/payment-object.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { partnerFunction } from "../../shared/http/http-function.ts";
import { readPayment, type ReadPayment } from "../../shared/use-cases/read-payment.ts";

/** Reads a payment as it stands, for partners that cannot be called back. */
export const posPayment = (deps: ReadPayment) =>
  partnerFunction({
    name: "pos-payment",
    method: "GET",
    route: "pos-payment/{session_id}",
    scope: "payments",
    notFound: "payment_not_found",
    handle: async ({ caller, params }) => {
      const payment = await readPayment(deps, caller, params["session_id"] ?? "");
      return payment.ok ? answer(200, toPaymentObject(payment.value)) : refusal(payment.error);
    },
  });
