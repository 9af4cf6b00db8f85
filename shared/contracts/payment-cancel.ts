import { z } from "zod";
import { canonical, identifier } from "./identifier.ts";

/** The body of a cancel: which session, on which terminal. */
export const paymentCancelBody = z
  .object({ sessionID: identifier, pointOfServiceID: identifier, msgType: z.literal("paymentCancel") })
  .meta({ id: "PaymentCancel" })
  .transform((body) => ({ sessionId: canonical(body.sessionID), terminalId: canonical(body.pointOfServiceID) }));
