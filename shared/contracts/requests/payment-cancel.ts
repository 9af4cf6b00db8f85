import * as z from "zod";
import { msgType, pointOfServiceID, refundID, sessionID } from "../fields.ts";
import { canonical } from "../identifier.ts";

/**
 * The body of a cancel: which session, on which terminal. `refundID` is an addition to the specification, and withdraws a refund of the
 * session instead.
 */
export const paymentCancelBody = z
  .object({
    sessionID,
    pointOfServiceID,
    msgType: msgType("paymentCancel"),
    refundID: refundID.optional().meta({
      description:
        "Withdraws this refund, if the terminal has not fetched it, and leaves the payment as it is. It needs the scope `refunds` instead of `payments`.",
    }),
  })
  .meta({ id: "PaymentCancel" })
  .transform((body) => ({
    sessionId: canonical(body.sessionID),
    terminalId: canonical(body.pointOfServiceID),
    refundId: body.refundID,
  }));
