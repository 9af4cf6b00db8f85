import { actionResponseBody, toActionRequestObject } from "../../shared/contracts/action-request.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { partnerFunction } from "../../shared/http/http-function.ts";
import { answerActionRequest, type AnswerActionRequest } from "../../shared/use-cases/answer-action-request.ts";

/** Answers what a terminal asks; the answer travels to it as a message. */
export const actionRequestResponse = (deps: AnswerActionRequest) =>
  partnerFunction({
    name: "action-request-response",
    method: "POST",
    route: "action-request-response",
    scope: "actions",
    body: actionResponseBody,
    handle: async ({ caller, body, traceparent }) => {
      const answered = await answerActionRequest(deps, caller, body, traceparent);
      if (!answered.ok) return refusal(answered.error);
      return answer(200, toActionRequestObject(answered.value.action), answered.value.replayed);
    },
  });
