import * as z from "zod";
import { actionRequestID } from "../fields.ts";
import { canonical } from "../identifier.ts";
import { values } from "../values.ts";

const responseCode = values("ActionResponseCode", "Your response.", {
  accepted: "The terminal may continue.",
  declined: "The terminal must not continue.",
});

/** The body of a response to an action request. The specification's bare `responseCode` is enough if only one request can be meant. */
export const actionResponseBody = z
  .object({
    responseCode,
    actionRequestID: actionRequestID
      .optional()
      .meta({ description: "Optional if exactly one request is pending and this apikey has read it." }),
  })
  .meta({ id: "ActionRequestResponse" })
  .transform(({ responseCode, actionRequestID }) => ({
    responseCode,
    actionRequestId: actionRequestID === undefined ? undefined : canonical(actionRequestID),
  }));
