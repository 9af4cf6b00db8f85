import * as z from "zod";
import { partner } from "../../shared/edge/auth/authenticate.ts";
import { paymentObject, toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { idempotencyKey } from "../../shared/contracts/fields.ts";
import { addDiscountBody } from "../../shared/contracts/requests/add-discount.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { moneyBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { addDiscount, type AddDiscountDeps } from "../../shared/use-cases/payments/add-discount.ts";

export const addDiscountToPayment = defineEndpoint({
  auth: partner("discounts"),
  name: "add-discount",
  method: "POST",
  route: "add-discount",
  summary: "Add Discount",
  description:
    "Lowers the amount of a running payment by an amount, a percentage or a voucher. It counts when the terminal has applied it. `discountID`, or the header `Idempotency-Key`, makes a retry safe. If a request has both, they must belong to one discount.",
  parameters: {
    header: z.object({
      "Idempotency-Key": idempotencyKey.meta({
        description: "Identifies the discount for retries, like `discountID`.",
      }),
    }),
  },
  body: moneyBody(addDiscountBody),
  successes: { 202: success("The discount is sent to the terminal.", paymentObject) },
  replays: true,
  problems: [
    "payment_not_found",
    "voucher_not_found",
    "invalid_state",
    "voucher_unavailable",
    "currency_mismatch",
    "idempotency_mismatch",
    "target_required",
  ],
  handle: async (deps: AddDiscountDeps, call) => {
    const added = await addDiscount(deps, call, { ...call.body, idempotencyKey: call.parameters["Idempotency-Key"] });
    if (!added.ok) return refusal(added.error);
    return respond(202, toPaymentObject(added.value.payment), added.value.replayed);
  },
});
