import { toActionRequestObject } from "../../shared/contracts/action-request.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { partnerFunction } from "../../shared/http/http-function.ts";
import { readActionRequest, type ReadActionRequest } from "../../shared/use-cases/read-action-request.ts";

/** Reads what a terminal asks. */
export const actionRequest = (deps: ReadActionRequest) =>
  partnerFunction({
    name: "action-request",
    method: "GET",
    route: "action-request/{action_request_id}",
    scope: "actions",
    notFound: "action_request_not_found",
    handle: async ({ caller, params }) => {
      const action = await readActionRequest(deps, caller, params["action_request_id"] ?? "");
      return action.ok ? answer(200, toActionRequestObject(action.value)) : refusal(action.error);
    },
  });
