import { addDiscountBody } from "../../shared/contracts/add-discount.ts";
import { toPaymentObject } from "../../shared/contracts/payment-object.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { partnerFunction } from "../../shared/http/http-function.ts";
import { addDiscount, type AddDiscount } from "../../shared/use-cases/add-discount.ts";

/** Lowers what a running payment will charge, if its terminal still can. */
export const addDiscountToPayment = (deps: AddDiscount) =>
  partnerFunction({
    name: "add-discount",
    method: "POST",
    route: "add-discount",
    scope: "discounts",
    body: addDiscountBody,
    handle: async ({ caller, body, traceparent }) => {
      const added = await addDiscount(deps, caller, body, traceparent);
      if (!added.ok) return refusal(added.error);
      return answer(202, toPaymentObject(added.value.payment), added.value.replayed);
    },
  });
