import { freezeActionEffects } from "../../contracts/events.ts";
import type { ActionChange } from "../../domain/action-request.ts";
import type { Timings } from "../../domain/timings.ts";
import type { ActionRequests, StoredAction } from "../../ports/action-requests.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import { announceAndCommit, type AnnounceDeps } from "../outbox/announce-and-commit.ts";

export interface CommitActionDeps extends AnnounceDeps {
  readonly actionRequests: ActionRequests;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly timings: Timings;
}

/** Announces and commits a change of an action request. Throws `Conflict` and `Unavailable` as the protocol says. */
export async function commitAction(
  deps: CommitActionDeps,
  change: ActionChange,
  read: StoredAction | undefined,
  traceparent?: string,
): Promise<void> {
  const { action } = change;
  const { partnerId, actionRequestId } = action;
  const effects = freezeActionEffects(change);
  const command = effects.length > 0 ? { commandId: deps.newId(), effects } : undefined;
  const commit = () => deps.actionRequests.commit(action, read, command);
  await announceAndCommit(deps, { kind: "actionRequest", partnerId, actionRequestId }, command, commit, traceparent);
}
