import * as z from "zod";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { paymentObject, toPaymentObject } from "./payment.ts";

/** A page of a partner's list of payments. */
export const paymentListObject = z
  .object({
    payments: z
      .array(paymentObject)
      .meta({ description: "In the order of `createdAt`, then of sessions. May be empty although there is a `next`." }),
    next: z
      .string()
      .optional()
      .meta({ description: "The `after` of the next page. Absent on the last page. The value is opaque." }),
  })
  .meta({ id: "PaymentList", description: "A page of your payments, each in its current state." });
export type PaymentListObject = z.infer<typeof paymentListObject>;

export const toPaymentListObject = (page: {
  readonly payments: readonly Payment[];
  readonly next: string | undefined;
}): PaymentListObject => ({ payments: page.payments.map((payment) => toPaymentObject(payment)), next: page.next });
