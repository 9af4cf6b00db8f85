import * as z from "zod";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { paymentObject, toPaymentObject } from "./payment.ts";

/** A page of a partner's list of payments. */
export const paymentListObject = z
  .object({
    payments: z
      .array(paymentObject)
      .meta({ description: "By `createdAt`, then by session. There may be none while there is a `next`." }),
    next: z
      .string()
      .optional()
      .meta({ description: "Names the next page, as `after`. Left out on the last one. It has no other meaning." }),
  })
  .meta({ id: "PaymentList", description: "A page of your payments, each as it stands." });
export type PaymentListObject = z.infer<typeof paymentListObject>;

export const toPaymentListObject = (page: {
  readonly payments: readonly Payment[];
  readonly next: string | undefined;
}): PaymentListObject => ({ payments: page.payments.map(toPaymentObject), next: page.next });
