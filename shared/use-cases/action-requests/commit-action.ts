import { toActionRequestObject } from "../../contracts/objects/action-request.ts";
import type { ActionChange, ActionRequest } from "../../domain/action-request.ts";
import type { UsedKey } from "../../stores/idempotency-keys.ts";
import type { StoredAction } from "../../stores/action-requests.ts";
import type { CallContext } from "../../ports/clock.ts";
import { announceAndCommit, type AnnounceDeps } from "../outbox/announce-and-commit.ts";
import { commandOf } from "../outbox/store-effects.ts";
import type { Origin } from "../outbox/origin.ts";
import type { Needs } from "../needs.ts";

export type CommitActionDeps = AnnounceDeps & Needs<"actionRequests">;

/** How the request for a change was sent. */
export interface ActionRequested {
  readonly commandId: string;
  readonly idempotency: UsedKey | undefined;
  /** Binds the request's `Idempotency-Key` before the commit. */
  readonly beside: () => Promise<void>;
}

/** Announces and commits a change of an action request. Throws `Conflict` and `Unavailable` as `announceAndCommit` does. */
export async function commitAction(
  deps: CommitActionDeps,
  call: CallContext,
  { action, effects, requested }: ActionChange & { readonly requested?: ActionRequested | undefined },
  read: StoredAction | undefined,
): Promise<void> {
  const { partnerId, actionRequestId } = action;
  const { commandId = call.newId(), idempotency, beside } = requested ?? {};
  const command = commandOf({ commandId, keyId: call.keyId, idempotency }, effects, originOf(action));
  await announceAndCommit(deps, {
    subject: { kind: "actionRequest", partnerId, actionRequestId },
    command,
    beside,
    call,
    commit: () => deps.actionRequests.commit(action, read, command),
  });
}

const originOf = (action: ActionRequest): Origin => ({
  ...action,
  webhookUrl: action.webhookUrl,
  causedBy: action.status === "pending" ? "terminal" : "platform", // it is raised, or expires: no other change has an event
  slot: { createdAt: action.createdAt, sessionId: action.actionRequestId, sequence: action.sequence },
  sessionIdAsReceived: action.sessionId,
  data: () => toActionRequestObject(action),
});
