import { actionHasEnded } from "../../../domain/action-request.ts";
import type { Instant } from "../../../domain/time.ts";
import type { ActionRequests } from "../../../stores/action-requests.ts";
import type { Commands } from "../../../stores/commands.ts";
import type { DayEntry, Retention } from "../../../stores/retention.ts";
import { isCarriedOut } from "../../outbox/leave-open-list.ts";
import { LATER, removed, STAYS, type PurgeResult } from "./purge-result.ts";

export interface PurgeActionRequestDeps {
  readonly actionRequests: ActionRequests;
  readonly commands: Commands;
  readonly retention: Retention;
}

/** Removes an action request that ended and last changed before this moment. Throws `Conflict` where it changed meanwhile. */
export async function purgeActionRequest(
  { actionRequests, commands, retention }: PurgeActionRequestDeps,
  { subject }: DayEntry<"actionRequest">,
  before: Instant,
): Promise<PurgeResult> {
  const read = await actionRequests.find(subject);
  if (!read) return removed(await retention.removeActionRequest(subject, undefined));
  const { action, etag } = read;
  if (action.updatedAt >= before) return LATER; // each change is listed under its day
  if (!actionHasEnded(action) || !(await commands.ofSubject(subject)).every(isCarriedOut)) return STAYS;
  const { terminalId, createdAt, actionRequestId: sessionId } = action;
  const messages = await retention.removeMessages({ terminalId, createdAt, sessionId });
  return removed(messages + (await retention.removeActionRequest(subject, etag)));
}
