import { terminal } from "../../shared/edge/auth/authenticate.ts";
import { actionRequestObject, toActionRequestObject } from "../../shared/contracts/objects/action-request.ts";
import { raisedAction, raisedActionBody } from "../../shared/contracts/requests/raise-action-request.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { requestBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { callAboutCardData, type KeepOrphanReportDeps } from "../../shared/use-cases/alerts/keep-orphan-report.ts";
import {
  raiseActionRequest,
  type RaiseActionRequestDeps,
} from "../../shared/use-cases/action-requests/raise-action-request.ts";

export const raiseAction = defineEndpoint({
  auth: terminal,
  name: "raise-action-request",
  method: "POST",
  route: "raise-action-request",
  summary: "Raise Action Request",
  description: "Asks the partner's server a question, under an identifier of the terminal, or withdraws it.",
  body: requestBody(raisedActionBody, raisedAction),
  successes: {
    202: success(
      "The request is sent to the partner. The terminal gets the response as a message.",
      actionRequestObject,
    ),
  },
  replays: true,
  problems: ["action_request_not_found", "payment_not_found", "idempotency_mismatch"],
  handle: async (deps: RaiseActionRequestDeps & KeepOrphanReportDeps, call) => {
    const { cardDataIn, ...asked } = call.body;
    await callAboutCardData(deps, call, cardDataIn);
    const raised = await raiseActionRequest(deps, call, asked);
    if (!raised.ok) return refusal(raised.error);
    return respond(202, toActionRequestObject(raised.value.action), raised.value.replayed);
  },
});
