import { endAction, type ActionRequest, type ActionState } from "../../domain/action-request.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { StoredAction } from "../../stores/action-requests.ts";
import type { ActionKey, Subject } from "../../ports/subjects.ts";
import { MAX_TERMINALS, reachableTerminals, reaches, type Caller, type PartnerCall } from "../caller.ts";
import {
  bindKey,
  judgeKey,
  type JudgedKey,
  type JudgeKeyDeps,
  keyedBy,
  type KeyRefusal,
  usedKey,
} from "../idempotency-key.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { type ActionRequested, commitAction, type CommitActionDeps } from "./commit-action.ts";
import type { Needs } from "../needs.ts";

export type RespondToActionRequestDeps = CommitActionDeps & JudgeKeyDeps & Needs<"partners">;

export interface ActionResponseInput {
  readonly responseCode: "accepted" | "declined";
  readonly actionRequestId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

type TargetRefusal = "action_request_not_found" | "target_required" | "ambiguous_target";

/**
 * Records the partner's response to an action request. The first response wins. Repeating it is a replay, and a different response is
 * refused. The `Idempotency-Key` is looked up first: it names the action request of a request that names none.
 */
export const respondToActionRequest = (
  deps: RespondToActionRequestDeps,
  call: PartnerCall,
  { responseCode, actionRequestId, idempotencyKey }: ActionResponseInput,
): Promise<
  Result<{ action: ActionRequest; replayed: boolean }, KeyRefusal | Refusal<TargetRefusal | "invalid_state">>
> =>
  retryOnConflict(async () => {
    const { caller } = call;
    const { partnerId } = caller;
    const subject = actionRequestId === undefined ? undefined : subjectOf({ partnerId, actionRequestId });
    const keyed = keyedBy(idempotencyKey, call, { operation: "response", subject });
    const judged = await judgeKey(deps, keyed, call.now());
    if (!judged.ok) return judged;
    const target = await targetOf(deps, caller, actionRequestId ?? answeredUnder(judged.value));
    if (!target.ok) return target;
    const { action } = target.value;
    const change = judged.value.isAccepted ? undefined : endAction(action, responseCode, call.now());
    if (change) {
      const requested = requestedBy(deps, call, judged.value, action);
      await commitAction(deps, call, { ...change, requested }, target.value);
      return ok({ action: change.action, replayed: false });
    }
    if (action.status === responseCode) return ok({ action, replayed: true });
    return refuse({ code: "invalid_state", detail: ended[action.status] });
  });

const subjectOf = ({
  partnerId,
  actionRequestId,
}: ActionKey): Extract<Subject, { readonly kind: "actionRequest" }> => ({
  kind: "actionRequest",
  partnerId,
  actionRequestId,
});

/** The action request that was answered under the key. */
const answeredUnder = ({ isAccepted, read }: JudgedKey): string | undefined =>
  isAccepted && read?.subject.kind === "actionRequest" ? read.subject.actionRequestId : undefined;

function requestedBy(
  deps: RespondToActionRequestDeps,
  call: PartnerCall,
  judged: JudgedKey,
  action: ActionRequest,
): ActionRequested {
  const commandId = call.newId();
  const of = { subject: subjectOf(action), terminalId: action.terminalId, commandId, at: call.now() };
  return { commandId, idempotency: usedKey(judged.keyed), beside: () => bindKey(deps, judged, of) };
}

const targetOf = (deps: RespondToActionRequestDeps, caller: Caller, id: string | undefined) =>
  id === undefined ? onlyPending(deps, caller) : named(deps, caller, id);

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
