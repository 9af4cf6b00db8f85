import { raisedActionBody, toActionRequestObject } from "../../shared/contracts/action-request.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { terminalFunction } from "../../shared/http/http-function.ts";
import { raiseActionRequest, type RaiseActionRequest } from "../../shared/use-cases/raise-action-request.ts";

/** Has a terminal ask the partner's server something, under an identifier of its own. */
export const raiseAction = (deps: RaiseActionRequest) =>
  terminalFunction({
    name: "raise-action-request",
    method: "POST",
    route: "raise-action-request",
    body: raisedActionBody,
    handle: async ({ caller, body, traceparent }) => {
      const raised = await raiseActionRequest(deps, caller.terminal, body, traceparent);
      if (!raised.ok) return refusal(raised.error);
      return answer(202, toActionRequestObject(raised.value.action), raised.value.replayed);
    },
  });
