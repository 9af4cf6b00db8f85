import { partner } from "../../shared/edge/auth/authenticate.ts";
import { pageOf, receiptsObject, receiptsQuery, toReceiptsObject } from "../../shared/contracts/objects/receipts.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import type { ReadPaymentDeps } from "../../shared/use-cases/payments/read-payment.ts";
import { readReceipts } from "../../shared/use-cases/payments/read-receipts.ts";

export const posPaymentReceipts = defineEndpoint({
  auth: partner("payments", "reports"),
  name: "pos-payment-receipts",
  method: "GET",
  isRead: true,
  route: "pos-payment/{session_id}/receipts",
  summary: "Read Payment Receipts",
  description: "Reads the receipts of a payment: of its sale, captures, refunds, reversals and declines.",
  parameters: { query: receiptsQuery },
  notFound: "payment_not_found",
  problems: ["invalid_state"],
  successes: { 200: success("A page of the payment's receipts, oldest first.", receiptsObject) },
  handle: async (deps: ReadPaymentDeps, call) => {
    const page = await readReceipts(deps, call, call.params["session_id"] ?? "", pageOf(call.parameters));
    return page.ok ? respond(200, toReceiptsObject(page.value)) : refusal(page.error);
  },
});
