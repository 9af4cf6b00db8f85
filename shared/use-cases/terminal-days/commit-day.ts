import { toTerminalDayObject } from "../../contracts/objects/terminal-day.ts";
import { nameOfDay, type TerminalDay } from "../../domain/terminal-day/terminal-day.ts";
import type { DayChange } from "../../domain/terminal-day/changes.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { StoredTerminalDay } from "../../stores/terminal-days.ts";
import { announceAndCommit, type AnnounceDeps } from "../outbox/announce-and-commit.ts";
import { listed } from "../outbox/enter-lists.ts";
import { commandOf } from "../outbox/store-effects.ts";
import type { Origin } from "../outbox/subject.ts";
import type { Needs } from "../needs.ts";

export type CommitDayDeps = AnnounceDeps & Needs<"terminalDays">;

/** Announces and commits a change of a terminal's day. Throws `Conflict` and `Unavailable` as `announceAndCommit` does. */
export async function commitDay(
  deps: CommitDayDeps,
  call: CallContext,
  change: DayChange,
  read: StoredTerminalDay | undefined,
): Promise<void> {
  const { partnerId, terminalId, day } = change.terminalDay;
  const command = commandOf({ commandId: call.newId() }, change.effects, originOf(change.terminalDay));
  const { record: terminalDay, entering } = listed(change.terminalDay, command);
  await announceAndCommit(deps, {
    subject: { kind: "terminalDay", partnerId, terminalId, day },
    command,
    entering,
    call,
    commit: () => deps.terminalDays.commit({ terminalDay, etag: read?.etag, closing: change.closing, command }),
  });
}

const originOf = (terminalDay: TerminalDay): Origin => ({
  ...terminalDay,
  webhookUrl: undefined,
  slot: { createdAt: terminalDay.createdAt, sessionId: nameOfDay(terminalDay), sequence: terminalDay.sequence },
  sessionIdAsReceived: undefined,
  data: () => toTerminalDayObject(terminalDay),
});
