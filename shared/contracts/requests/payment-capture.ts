import * as z from "zod";
import { LONGEST_CAPTURE_WAIT, SHORTEST_WAIT } from "../../domain/payment/life/waits.ts";
import { amount } from "../amount.ts";
import { msgType, pointOfServiceID, sessionID } from "../fields.ts";
import { canonical } from "../identifier.ts";

/**
 * The body of a capture. Two fields are additions to the specification: `captureAmount` captures less than was authorized, and
 * `deliverWithinSeconds` says how long the capture waits for its terminal.
 */
export const paymentCaptureBody = z
  .object({
    sessionID,
    pointOfServiceID,
    msgType: msgType("paymentCapture"),
    captureAmount: amount.optional().meta({ description: "At most the authorized amount, which is the default." }),
    deliverWithinSeconds: z.int().min(SHORTEST_WAIT).max(LONGEST_CAPTURE_WAIT).optional().meta({
      description:
        "How long the capture waits for the terminal to fetch it, in seconds. By default, and at most, until the authorization ends.",
    }),
  })
  .meta({ id: "PaymentCapture" })
  .transform((body) => ({
    sessionId: canonical(body.sessionID),
    terminalId: canonical(body.pointOfServiceID),
    captureAmount: body.captureAmount,
    deliverWithinSeconds: body.deliverWithinSeconds,
  }));
