import { endAction, type ActionRequest, type ActionState } from "../../domain/action-request.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { StoredAction } from "../../stores/action-requests.ts";
import { MAX_TERMINALS, reachableTerminals, reaches, type Caller, type PartnerCall } from "../caller.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { commitAction, type CommitActionDeps } from "./commit-action.ts";
import type { Needs } from "../needs.ts";

export type RespondToActionRequestDeps = CommitActionDeps & Needs<"partners">;

export interface ActionResponseInput {
  readonly responseCode: "accepted" | "declined";
  readonly actionRequestId?: string | undefined;
}

type TargetRefusal = "action_request_not_found" | "target_required" | "ambiguous_target";

/**
 * Records the partner's response to an action request. The first response wins. Repeating it is a replay, and a different response is
 * refused.
 */
export const respondToActionRequest = (
  deps: RespondToActionRequestDeps,
  call: PartnerCall,
  { responseCode, actionRequestId }: ActionResponseInput,
): Promise<Result<{ action: ActionRequest; replayed: boolean }, Refusal<TargetRefusal | "invalid_state">>> =>
  retryOnConflict(async () => {
    const { caller } = call;
    const target =
      actionRequestId === undefined ? await onlyPending(deps, caller) : await named(deps, caller, actionRequestId);
    if (!target.ok) return target;
    const { action } = target.value;
    const change = endAction(action, responseCode, call.now());
    if (change) {
      await commitAction(deps, call, change, target.value);
      return ok({ action: change.action, replayed: false });
    }
    if (action.status === responseCode) return ok({ action, replayed: true });
    return refuse({ code: "invalid_state", detail: ended[action.status] });
  });

const first = "It keeps its first response.";
/** Why a response is refused. A pending request takes the response, unless another one came first. */
const ended: Readonly<Record<ActionState, string>> = {
  pending: "The action request has changed. Send the response again.",
  accepted: `The action request is accepted. ${first}`,
  declined: `The action request is declined. ${first}`,
  expired: "The action request is expired. Wait for the terminal to send a new one.",
  cancelled: "The action request is cancelled: the terminal has withdrawn it.",
};

async function named(
  deps: RespondToActionRequestDeps,
  caller: Caller,
  id: string,
): Promise<Result<StoredAction, Refusal<"action_request_not_found">>> {
  const found = await deps.actionRequests.find({ partnerId: caller.partnerId, actionRequestId: id });
  return found && reaches(caller, found.action.terminalId) ? ok(found) : refuse({ code: "action_request_not_found" });
}

/**
 * The only pending request of the terminals that this key reaches. This key must have read it, so that a response cannot open the wrong
 * gate.
 */
async function onlyPending(
  deps: RespondToActionRequestDeps,
  caller: Caller,
): Promise<Result<StoredAction, Refusal<TargetRefusal>>> {
  const terminals = await reachableTerminals(deps.partners, caller);
  if (terminals.length > MAX_TERMINALS) {
    return refuse({
      code: "target_required",
      detail: "This key has access to several terminals. Send the actionRequestID.",
    });
  }
  const pending = (await deps.actionRequests.pending(caller.partnerId)).filter((p) => reaches(caller, p.terminalId));
  const [only] = pending;
  if (!only) return refuse({ code: "action_request_not_found" });
  if (pending.length > 1)
    return refuse({
      code: "ambiguous_target",
      detail: "Several action requests are pending. Send an actionRequestID.",
    });
  const found = await deps.actionRequests.find({ partnerId: caller.partnerId, actionRequestId: only.actionRequestId });
  return found?.action.readBy.includes(caller.keyId) ? ok(found) : refuse({ code: "action_request_not_found" });
}
