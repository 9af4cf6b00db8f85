import { toTerminalDayObject } from "../../contracts/objects/terminal-day.ts";
import { nameOfDay, type TerminalDay } from "../../domain/terminal-day/terminal-day.ts";
import type { DayChange } from "../../domain/terminal-day/changes.ts";
import type { Instant } from "../../domain/time.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { StoredDay } from "../../stores/terminal-days.ts";
import { announceAndCommit, type AnnounceDeps } from "../outbox/announce-and-commit.ts";
import { commandOf } from "../outbox/store-effects.ts";
import type { Origin } from "../outbox/origin.ts";
import type { Needs } from "../needs.ts";

export type CommitDayDeps = AnnounceDeps & Needs<"terminalDays">;

/** Announces and commits a change of a terminal's day, and closes its books if a moment is given. Throws `Conflict` and `Unavailable` as `announceAndCommit` does. */
export async function commitDay(
  deps: CommitDayDeps,
  call: CallContext,
  change: DayChange,
  { read, closedAt }: { readonly read: StoredDay | undefined; readonly closedAt?: Instant | undefined },
): Promise<void> {
  const { terminalDay, closing } = change;
  const { partnerId, terminalId, day } = terminalDay;
  const command = commandOf({ commandId: call.newId() }, change.effects, originOf(terminalDay));
  await announceAndCommit(deps, {
    subject: { kind: "terminalDay", partnerId, terminalId, day },
    command,
    call,
    commit: () => deps.terminalDays.commit({ terminalDay, read, closedAt, closing, command }),
  });
}

const originOf = (terminalDay: TerminalDay): Origin => ({
  ...terminalDay,
  webhookUrl: undefined,
  causedBy: "platform", // it compares the totals
  slot: { createdAt: terminalDay.createdAt, sessionId: nameOfDay(terminalDay), sequence: terminalDay.sequence },
  sessionIdAsReceived: undefined,
  data: () => toTerminalDayObject(terminalDay),
});
