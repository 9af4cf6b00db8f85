import * as z from "zod";
import { msgType, pointOfServiceID, sessionID } from "../fields.ts";
import { canonical } from "../identifier.ts";

/** The body of a cancel: which session, on which terminal. */
export const paymentCancelBody = z
  .object({ sessionID, pointOfServiceID, msgType: msgType("paymentCancel") })
  .meta({ id: "PaymentCancel" })
  .transform((body) => ({ sessionId: canonical(body.sessionID), terminalId: canonical(body.pointOfServiceID) }));
