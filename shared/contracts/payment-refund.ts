import { z } from "zod";
import { amount, currency } from "./amount.ts";
import { canonical, identifier } from "./identifier.ts";

/** The body of a refund. `refundID`, an addition, names it, so that it can be repeated without being made twice. */
export const paymentRefundBody = z
  .object({
    sessionID: identifier,
    pointOfServiceID: identifier,
    msgType: z.literal("paymentRefund"),
    currency,
    refundAmount: amount,
    refundReason: z.string().max(192).default(""),
    refundID: identifier.optional().meta({ description: "Names the refund, so that it can be repeated safely." }),
  })
  .meta({ id: "PaymentRefund" })
  .transform((body) => ({
    sessionId: canonical(body.sessionID),
    terminalId: canonical(body.pointOfServiceID),
    currency: body.currency,
    refundAmount: body.refundAmount,
    reason: body.refundReason,
    refundId: body.refundID,
  }));
