import { dayIsSettled, type TerminalDay } from "../../../domain/terminal-day/terminal-day.ts";
import type { Instant } from "../../../domain/time.ts";
import type { Alerts } from "../../../stores/alerts.ts";
import { isCarriedOut } from "../../../stores/commands.ts";
import type { DayMark } from "../../../stores/marks.ts";
import { LATER, removed, STAYS, type PurgeResult } from "./purge-result.ts";
import type { Needs } from "../../needs.ts";

export type PurgeTerminalDayDeps = Needs<"alerts" | "commands" | "retention" | "terminalDays">;

/** Removes a terminal's day that is settled and last changed before this moment. Throws `Conflict` if it changed meanwhile. */
export async function purgeTerminalDay(
  { terminalDays, commands, alerts, retention }: PurgeTerminalDayDeps,
  { subject }: DayMark<"terminalDay">,
  before: Instant,
): Promise<PurgeResult> {
  const { terminalDay, etag } = (await terminalDays.find(subject)) ?? {};
  if (!terminalDay) return removed(await retention.removeTerminalDay(subject, etag));
  if (terminalDay.updatedAt >= before) return LATER; // each change is marked under its day
  if (!dayIsSettled(terminalDay) || !(await commands.ofSubject(subject)).every(isCarriedOut)) return STAYS;
  if (await isNamedByAlert(alerts, terminalDay)) return STAYS;
  return removed(await retention.removeTerminalDay(subject, etag));
}

const isNamedByAlert = async (alerts: Alerts, { partnerId, terminalId, day }: TerminalDay): Promise<boolean> =>
  (await alerts.of(terminalId)).some(
    ({ alert: { status, subject } }) =>
      status === "open" && subject.kind === "terminal" && subject.partnerId === partnerId && subject.day === day,
  );
