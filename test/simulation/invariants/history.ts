import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import { isSameButForLost } from "../../../shared/domain/payment/operator/restore.ts";
import { everyRuleFor } from "../../../shared/domain/payment/life/rule-for.ts";
import { msBetween } from "../../../shared/domain/time.ts";
import type { Flaws } from "../actors/flaws.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import { DAY, HOUR, msAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * The history has no gap, has only transitions of the table and each report once, and ends in the payment's state. Each contradicting
 * report and each lasting doubt raises an alert. Any other alert is allowed only if terminals have flaws. Returns the kinds of its alerts.
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
  const follows = world.lostTime.restoredAt === undefined ? Object.is : isSameButForLost;
  const isWhole = history.every(({ sequence }, i) => follows(sequence, (history[i - 1]?.sequence ?? 0) + 1));
  if (!isWhole || !follows(payment.sequence, history.at(-1)?.sequence ?? 0)) {
    world.violate("the history has a gap", `${at}: ${history.map((h) => h.sequence).join(" ")} of ${payment.sequence}`);
  }
  const again = history.filter(({ sequence }) => world.lostTime.sequences.get(plan.sessionId)?.has(sequence));
  if (again.length > 0) world.violate("a change has the sequence of a lost one", `${at}: ${again[0]?.sequence}`);
  for (const [i, entry] of history.entries()) {
    if (i > 0 && entry.from !== history[i - 1]?.to)
      world.violate("a history entry does not follow the previous one", `${at} ${entry.sequence}`);
    if (!isLegal(entry)) world.violate("a transition that is not in the table", `${at} ${describe(entry)}`);
    if (entry.event === "corrected" && entry.from !== entry.to)
      world.violate("a correction changed the payment's state", `${at} ${describe(entry)}`);
    const contradicts = isOf(entry, device?.contradictions.reports);
    const isResolved = history.slice(0, i + 1).some(({ by }) => by === "operator"); // may be wrong, and then the terminal contradicts
    const isHourLate =
      (world.faultPlan.wrongestClock >= HOUR || msBetween(payment.createdAt, entry.at) >= HOUR) &&
      (entry.event === "accepted" || entry.event === "stillRunning"); // by its wrong clock, or its terminal was off
    const isMistaken = history.slice(0, i).some((earlier) => isOf(earlier, device?.namelessFailures)); // taken for a later try's failure
    // Its terminal knows more than the books.
    const isBehind =
      world.lostTime.behind.has(plan.sessionId) || history.slice(0, i).some((earlier) => earlier.event === "restored");
    const isOwed =
      isBehind ||
      contradicts ||
      isResolved ||
      isHourLate ||
      isMistaken ||
      isDiscountByChance(payment, entry) ||
      (isOfDoubt(entry, history) && !plan.isCalm);
    if (entry.alerts && !isOwed && (flaws.isPerfect || plan.isCalm))
      world.violate("an operator was called without a cause", `${at} ${describe(entry)}`);
    if (!entry.alerts && contradicts) world.violate("no operator was called", `${at} ${describe(entry)}`);
  }
  if (history.at(-1)?.to !== payment.status) world.violate("the history ends in another state", at);
  const reports = history.flatMap((h) => h.reportId ?? []);
  if (new Set(reports).size < reports.length) world.violate("a report counted twice", at);
  return history.flatMap(({ alerts = [] }) => alerts.map(({ kind }) => kind));
}

/** A wait of a day or a month raises an alert, even if the terminal was only silent. */
const ofDoubt: ReadonlySet<RecordedEntry["event"]> = new Set(["doubtOverdue", "reversalOverdue", "captureOverdue"]);
const isOfDoubt = ({ event, at }: RecordedEntry, [first]: readonly RecordedEntry[]): boolean =>
  ofDoubt.has(event) || (event === "reversalFailed" && first !== undefined && msAt(at) - msAt(first.at) > 29 * DAY);

/** Another amount was charged, and differs by just what an answered discount would have changed. */
const isDiscountByChance = ({ discounts, amounts }: Payment, { event, said }: RecordedEntry): boolean =>
  event === "authorizedOtherAmount" &&
  discounts.some(({ amount }) => amount === Math.abs(amounts.requested - amounts.discounted - (said?.amount ?? 0)));

const isLegal = ({ event, from, to, recordedOnly }: RecordedEntry): boolean => {
  if (event === "request") return from === undefined && to === "pending";
  if (recordedOnly) return from === to;
  return from !== undefined && everyRuleFor(from, event).some((rule) => rule.to === to);
};

const describe = ({ from, event, to }: RecordedEntry) => `${from ?? ""} ${event} ${to}`;
