import * as z from "zod";
import { partner } from "../../shared/edge/auth/authenticate.ts";
import { bindingKey } from "../../shared/contracts/fields.ts";
import { actionRequestObject, toActionRequestObject } from "../../shared/contracts/objects/action-request.ts";
import { actionResponseBody } from "../../shared/contracts/requests/action-request-response.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { requestBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import {
  respondToActionRequest,
  type RespondToActionRequestDeps,
} from "../../shared/use-cases/action-requests/respond-to-action-request.ts";

export const actionRequestResponse = defineEndpoint({
  auth: partner("actions"),
  name: "action-request-response",
  method: "POST",
  route: "action-request-response",
  summary: "Action Request Response",
  description: "Answers an action request. The terminal gets the answer as a message. The first answer counts.",
  parameters: { header: z.object({ "Idempotency-Key": bindingKey }) },
  body: requestBody(actionResponseBody),
  successes: { 200: success("The answer is sent to the terminal.", actionRequestObject) },
  replays: true,
  problems: [
    "idempotency_mismatch",
    "idempotency_in_progress",
    "action_request_not_found",
    "ambiguous_target",
    "invalid_state",
    "target_required",
  ],
  handle: async (deps: RespondToActionRequestDeps, call) => {
    const answered = await respondToActionRequest(deps, call, {
      ...call.body,
      idempotencyKey: call.parameters["Idempotency-Key"],
    });
    if (!answered.ok) return refusal(answered.error);
    return respond(200, toActionRequestObject(answered.value.action), answered.value.replayed);
  },
});
