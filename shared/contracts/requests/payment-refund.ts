import * as z from "zod";
import { LONGEST_REFUND_WAIT, SHORTEST_WAIT } from "../../domain/payment/life/waits.ts";
import { amount, currency } from "../amount.ts";
import { chargeID, freeText, msgType, pointOfServiceID, refundID, sessionID } from "../fields.ts";
import { canonical } from "../identifier.ts";

/**
 * The body of a refund. The specification lacks four of its fields. The `refundID` names a new refund or an existing one, so that a refund
 * is never made twice. `confirmDuplicate` says that a refund is another one, which needs a name and changes nothing else. The `chargeID`
 * names a charge that the merchant kept in addition to the payment's own. `deliverWithinSeconds` says how long it waits for its terminal.
 */
export const paymentRefundBody = z
  .object({
    sessionID,
    pointOfServiceID,
    msgType: msgType("paymentRefund"),
    currency,
    refundAmount: amount,
    refundReason: freeText(192).default("").meta({ description: "The reason, as free text." }),
    refundID: refundID.optional().meta({ description: "Identifies the refund, so that you can retry it safely." }),
    confirmDuplicate: z.boolean().optional().meta({
      description:
        "Says that this is another refund than an equal one. It needs a `refundID`, or the header `Idempotency-Key`.",
    }),
    deliverWithinSeconds: z.int().min(SHORTEST_WAIT).max(LONGEST_REFUND_WAIT).optional().meta({
      description:
        "How long the refund waits for the terminal to fetch it, in seconds. By default 600. Above 600 it needs a `refundID`, or the header `Idempotency-Key`.",
    }),
    chargeID: chargeID.optional().meta({
      description:
        "The charge to refund. By default the payment's own charge. A `kept` charge can be refunded in every status of the payment.",
    }),
  })
  .meta({ id: "PaymentRefund" })
  .transform((body) => ({
    sessionId: canonical(body.sessionID),
    terminalId: canonical(body.pointOfServiceID),
    currency: body.currency,
    refundAmount: body.refundAmount,
    reason: body.refundReason,
    refundId: body.refundID,
    confirmDuplicate: body.confirmDuplicate,
    deliverWithinSeconds: body.deliverWithinSeconds,
    chargeId: body.chargeID && canonical(body.chargeID),
  }));
