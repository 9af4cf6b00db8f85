import { z } from "zod";
import { actionCode, actionData, actionDescription, actionRequestID, sessionOfAction } from "../fields.ts";
import { canonical } from "../identifier.ts";

/** What a terminal asks, or takes back with `withdraw: true`. */
export const raisedActionBody = z
  .object({
    actionRequestID,
    actionCode,
    description: actionDescription.optional(),
    data: actionData.optional(),
    sessionID: sessionOfAction,
    code: z.string().min(1).max(64).optional().meta({ description: "The code of a voucher or key that was shown." }),
    withdraw: z.boolean().default(false).meta({ description: "Takes the question back." }),
  })
  .meta({ id: "RaisedActionRequest" })
  .transform((body) => ({
    actionRequestId: canonical(body.actionRequestID),
    spelledId: body.actionRequestID,
    actionCode: body.actionCode,
    description: body.description,
    data: body.data,
    sessionId: body.sessionID === undefined ? undefined : canonical(body.sessionID),
    code: body.code,
    withdraw: body.withdraw,
  }));
