import { partner } from "../../shared/edge/auth/authenticate.ts";
import { canonical } from "../../shared/contracts/identifier.ts";
import { paymentListObject, toPaymentListObject } from "../../shared/contracts/objects/payment-list.ts";
import { limitOf, paymentListQuery } from "../../shared/contracts/requests/payment-list-query.ts";
import { rangeOf } from "../../shared/domain/payment/record/payment-query.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { listPayments, type ListPaymentsDeps } from "../../shared/use-cases/payments/list-payments.ts";

export const posPayments = defineEndpoint({
  auth: partner("payments", "reports"),
  name: "pos-payments",
  method: "GET",
  isRead: true,
  route: "pos-payments",
  summary: "List Payments",
  description:
    "Lists your payments in the order of their creation, page by page. No payment is left out or repeated, even while new ones are made. A late payment appears on a later page.",
  parameters: { query: paymentListQuery },
  readsList: true,
  successes: { 200: success("A page of payments, each in its current state.", paymentListObject) },
  handle: async (deps: ListPaymentsDeps, call) => {
    const { status, pointOfServiceID, merchantID, orderId, after, ...named } = call.parameters;
    const range = rangeOf(named);
    if (!range.ok) return refusal(range.error);
    const terminalId = pointOfServiceID && canonical(pointOfServiceID);
    const merchantId = merchantID && canonical(merchantID);
    const query = { range: range.value, status, terminalId, merchantId, orderId };
    const page = await listPayments(deps, call, query, { limit: limitOf(call.parameters), after });
    return page.ok ? respond(200, toPaymentListObject(page.value)) : refusal(page.error);
  },
});
