import * as z from "zod";
import { amount } from "../amount.ts";
import { msgType, pointOfServiceID, sessionID } from "../fields.ts";
import { canonical } from "../identifier.ts";

/** The body of a capture. `captureAmount` is an addition to the specification, and captures less than was authorized. */
export const paymentCaptureBody = z
  .object({
    sessionID,
    pointOfServiceID,
    msgType: msgType("paymentCapture"),
    captureAmount: amount.optional().meta({ description: "At most the authorized amount, which is the default." }),
  })
  .meta({ id: "PaymentCapture" })
  .transform((body) => ({
    sessionId: canonical(body.sessionID),
    terminalId: canonical(body.pointOfServiceID),
    captureAmount: body.captureAmount,
  }));
