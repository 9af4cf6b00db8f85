import { partner } from "../../shared/edge/auth/authenticate.ts";
import { actionRequestObject, toActionRequestObject } from "../../shared/contracts/objects/action-request.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import {
  readAndNoteActionRequest,
  type ReadAndNoteActionRequestDeps,
} from "../../shared/use-cases/action-requests/read-and-note-action-request.ts";

export const actionRequest = defineEndpoint({
  auth: partner("actions"),
  name: "action-request",
  method: "GET",
  route: "action-request/{action_request_id}",
  summary: "Action Request",
  description: "Reads an action request of a terminal.",
  notFound: "action_request_not_found",
  successes: { 200: success("The action request's current state.", actionRequestObject) },
  handle: async (deps: ReadAndNoteActionRequestDeps, call) => {
    const action = await readAndNoteActionRequest(deps, call, call.params["action_request_id"] ?? "");
    return action.ok ? respond(200, toActionRequestObject(action.value)) : refusal(action.error);
  },
});
