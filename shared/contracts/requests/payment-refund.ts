import { z } from "zod";
import { amount, currency } from "../amount.ts";
import { msgType, pointOfServiceID, refundID, sessionID } from "../fields.ts";
import { canonical } from "../identifier.ts";

/** The body of a refund. `refundID`, an addition, names a new one, or the one that an answer showed under it, so that none is made twice. */
export const paymentRefundBody = z
  .object({
    sessionID,
    pointOfServiceID,
    msgType: msgType("paymentRefund"),
    currency,
    refundAmount: amount,
    refundReason: z.string().max(192).default("").meta({ description: "Free text: why it is given back." }),
    refundID: refundID.optional().meta({ description: "Names the refund, so that it can be repeated safely." }),
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
