import type { RecordedEntry } from "../../../shared/ports/payments.ts";
import { rulesFor } from "../../../shared/domain/payment/transitions.ts";
import type { Flaws } from "../actors/flaws.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import { HOUR } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * The history has no gap, takes only steps that the table has, tells each report once, and ends where the payment is. It calls an
 * operator for each report that contradicts and for a doubt that lasts; for anything else only where terminals have flaws. Returned are the kinds of
 * its alerts.
 */
export function checkHistory(
  world: World,
  { plan, payment, history }: Session,
  { flaws, device }: { readonly flaws: Flaws; readonly device: TerminalDevice | undefined },
): string[] {
  if (!payment) {
    if (history.length > 0) world.violate("a history without its payment", plan.sessionId);
    return [];
  }
  const at = `${plan.sessionId} (${payment.status})`;
  const isOf = (entry: RecordedEntry, reports: ReadonlySet<string> | undefined) =>
    entry.reportId !== undefined && reports?.has(entry.reportId) === true;
  if (history.length !== payment.sequence || history.some((h, i) => h.sequence !== i + 1)) {
    world.violate("the history has a gap", `${at}: ${history.map((h) => h.sequence).join(" ")} of ${payment.sequence}`);
  }
  for (const [i, entry] of history.entries()) {
    if (i > 0 && entry.from !== history[i - 1]?.to)
      world.violate("the history does not follow", `${at} ${entry.sequence}`);
    if (!isLegal(entry)) world.violate("a step that the table does not have", `${at} ${told(entry)}`);
    if (entry.event === "corrected" && entry.from !== entry.to)
      world.violate("a correction that moves the payment", `${at} ${told(entry)}`);
    const contradicts = isOf(entry, device?.contradictions.reports);
    const isResolved = history.slice(0, i).some(({ by }) => by === "operator"); // who may have erred: then the terminal contradicts
    const isHourLate =
      world.faultPlan.wrongestClock >= HOUR && (entry.event === "accepted" || entry.event === "stillRunning"); // so it says
    const isMistaken = history.slice(0, i).some((earlier) => isOf(earlier, device?.namelessFailures)); // for the failure of a later try
    const isOwed = contradicts || isResolved || isHourLate || isMistaken || (isOfDoubt(entry) && !plan.isCalm);
    if (entry.alerts && !isOwed && (flaws.isPerfect || plan.isCalm))
      world.violate("an operator is called", `${at} ${told(entry)}`);
    if (!entry.alerts && contradicts) world.violate("no operator is called", `${at} ${told(entry)}`);
  }
  if (history.at(-1)?.to !== payment.status) world.violate("the history ends elsewhere", at);
  const reports = history.flatMap((h) => h.reportId ?? []);
  if (new Set(reports).size < reports.length) world.violate("a report counted twice", at);
  return history.flatMap(({ alerts = [] }) => alerts.map(({ kind }) => kind));
}

/** What has been in doubt for a day is an operator's, also where the terminal has no flaw but its silence. */
const isOfDoubt = ({ event }: RecordedEntry): boolean => event === "doubtOverdue" || event === "reversalOverdue";

const isLegal = ({ event, from, to, recordedOnly }: RecordedEntry): boolean => {
  if (event === "request") return from === undefined && to === "pending";
  if (recordedOnly) return from === to;
  return from !== undefined && rulesFor(from, event).some((rule) => rule.to === to);
};

const told = ({ from, event, to }: RecordedEntry) => `${from ?? ""} ${event} ${to}`;
