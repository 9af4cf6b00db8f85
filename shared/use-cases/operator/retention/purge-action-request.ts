import { actionHasEnded } from "../../../domain/action-request.ts";
import type { Instant } from "../../../domain/time.ts";
import { isCarriedOut } from "../../../stores/commands.ts";
import type { DayMark } from "../../../stores/marks.ts";
import { LATER, removed, STAYS, type PurgeResult } from "./purge-result.ts";
import type { Needs } from "../../needs.ts";

export type PurgeActionRequestDeps = Needs<"actionRequests" | "commands" | "retention">;

/** Removes an action request that has ended and last changed before this moment. Throws `Conflict` if it changed meanwhile. */
export async function purgeActionRequest(
  { actionRequests, commands, retention }: PurgeActionRequestDeps,
  { subject }: DayMark<"actionRequest">,
  before: Instant,
): Promise<PurgeResult> {
  const read = await actionRequests.find(subject);
  if (!read) return removed(await retention.removeActionRequest(subject, undefined));
  const { action, etag } = read;
  if (action.updatedAt >= before) return LATER; // each change is marked under its day
  if (!actionHasEnded(action) || !(await commands.ofSubject(subject)).every(isCarriedOut)) return STAYS;
  const { terminalId, createdAt, actionRequestId: sessionId } = action;
  const messages = await retention.removeMessages(await retention.messagesOf({ terminalId, createdAt, sessionId }));
  return removed(messages + (await retention.removeActionRequest(subject, etag)));
}
