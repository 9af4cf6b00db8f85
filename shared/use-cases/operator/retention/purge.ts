import {
  ATTEMPTS_SPAN_DAYS,
  daysBefore,
  daysBetween,
  retentionTable,
  type RetentionKind,
} from "../../../domain/retention.ts";
import { dayOf, type Day, type Instant } from "../../../domain/time.ts";
import { Conflict } from "../../../ports/failures.ts";
import type { DayEntry, Retention } from "../../../stores/retention.ts";
import type { Subject } from "../../../ports/subjects.ts";
import { eachOf } from "../../each-of.ts";
import { purgeActionRequest, type PurgeActionRequestDeps } from "./purge-action-request.ts";
import { purgeCreated } from "./purge-created.ts";
import { countEvents, purgeEvents, type PurgeEventsDeps } from "./purge-events.ts";
import { purgePayment, type PurgePaymentDeps } from "./purge-payment.ts";
import { purgeTerminalDay, type PurgeTerminalDayDeps } from "./purge-terminal-day.ts";
import { STAYS, type PurgeResult } from "./purge-result.ts";
import { purgeTokenRequest, type PurgeTokenRequestDeps } from "./purge-token-request.ts";
import type { Needs } from "../../needs.ts";

export type PurgeDeps = PurgePaymentDeps &
  PurgeActionRequestDeps &
  PurgeTokenRequestDeps &
  PurgeTerminalDayDeps &
  PurgeEventsDeps &
  Needs<"listings" | "retention">;

/** The records to purge: those of this kind that are older than this number of days. */
export interface PurgeOrder {
  readonly kind: RetentionKind;
  readonly days: number;
}

/** The scope of a purge, before anything is removed. */
export interface PurgePlan extends PurgeOrder {
  /** Records that changed at this moment or later stay. */
  readonly before: Instant;
  /** The number of subjects that the purge will look at. It removes at most this many. */
  readonly atMost: number;
}

/** The result of a purge. */
export interface Purged extends PurgeOrder {
  readonly before: Instant;
  /** Subjects that were removed, wholly or in part. */
  readonly removed: number;
  readonly rows: number;
  /**
   * Subjects that are old enough but stay: they have not ended, have unfinished effects or an open alert, or changed at the same moment.
   */
  readonly stay: number;
}

type Now = { readonly now: () => Instant };

/**
 * Counts the records that are old enough, from the day lists, the alerts, the booked days and the feeds. Reads no subject, and changes
 * nothing. Throws `Unavailable`.
 */
export async function planPurge(deps: PurgeDeps, { now }: Now, order: PurgeOrder): Promise<PurgePlan> {
  const before = daysBefore(now(), order.days);
  if (order.kind === "events") return { ...order, before, atMost: await countEvents(deps, before) };
  const removals = await unlistedRemovals(deps, order.kind, before);
  if (removals) return { ...order, before, atMost: removals.length };
  const named = new Set<string>();
  await eachDay(deps, { ...order, before }, async (entries) => {
    for (const { subject } of entries) named.add(JSON.stringify(subject));
  });
  return { ...order, before, atMost: named.size };
}

/**
 * Removes the records that are old enough, day by day from the first day that may have some left. May be interrupted at any moment and run
 * again, because the lists still name the rest. Throws `Unavailable`.
 */
export async function purge(deps: PurgeDeps, { now }: Now, order: PurgeOrder): Promise<Purged> {
  const before = daysBefore(now(), order.days);
  if (order.kind === "events") return { ...order, before, ...(await purgeEvents(deps, before)), stay: 0 };
  const removals = await unlistedRemovals(deps, order.kind, before);
  if (removals) return removeEach(removals, { ...order, before });
  const done = { removed: 0, rows: 0, stay: 0 };
  let firstLeft: Day | undefined;
  const { days, passed } = await eachDay(deps, { ...order, before }, async (entries, day) => {
    if (order.kind === "payments") done.rows += await purgeCreatedOn(deps, entries, day);
    for (const result of await eachOf(entries, (entry) => purgeEntry(deps, order.kind, entry, before))) {
      done.rows += result.rows;
      if (result.rows > 0) done.removed++;
      if (result.outcome !== "stays") continue;
      done.stay++;
      firstLeft ??= day;
    }
  });
  const reached = firstLeft ?? days.end;
  if (reached > (passed?.before ?? "")) await deps.retention.savePassed(order.kind, reached, passed);
  return { ...order, before, ...done };
}

/** Removes the entries without a payment from the lists of the partners that the day's entries name. */
async function purgeCreatedOn(deps: PurgeDeps, entries: readonly DayEntry[], day: Day): Promise<number> {
  const partnerIds = new Set(entries.flatMap(({ subject }) => ("partnerId" in subject ? [subject.partnerId] : [])));
  let rows = 0;
  for (const partnerId of partnerIds) rows += await purgeCreated(deps, partnerId, day);
  return rows;
}

interface Due extends PurgeOrder {
  readonly before: Instant;
}

/** Calls `act` with the entries of each day that is old enough and was not passed before, oldest day first. */
async function eachDay(
  { retention }: PurgeDeps,
  { kind, before }: Due,
  act: (entries: readonly DayEntry[], day: Day) => Promise<void>,
) {
  const [oldest, passed] = await Promise.all([retention.oldestDay(), retention.passed(kind)]);
  const end = dayOf(kind === "webhookAttempts" ? daysBefore(before, ATTEMPTS_SPAN_DAYS) : before);
  const first = oldest === undefined || (passed && passed.before > oldest) ? passed?.before : oldest;
  for await (const day of listedDays(retention, first === undefined ? [] : daysBetween(first, end)))
    for (const listed of listedKinds(kind)) await act(await retention.entriesOf(day, listed), day);
  return { days: { end }, passed };
}

/** Skips the years and months in which nothing is listed, so that a long gap costs little. */
async function* listedDays(retention: Retention, days: readonly Day[]): AsyncGenerator<Day> {
  for (const [year, ofYear] of Map.groupBy(days, (day) => day.slice(0, 4))) {
    if (!(await retention.isListedIn(year))) continue;
    for (const [month, ofMonth] of Map.groupBy(ofYear, (day) => day.slice(0, 7)))
      if (await retention.isListedIn(month)) yield* ofMonth;
  }
}

type Remove<Kind extends Subject["kind"] = Subject["kind"]> = (
  deps: PurgeDeps,
  entry: DayEntry<Kind>,
  before: Instant,
) => Promise<PurgeResult>;

/** How each kind of subject is removed, and as which kind of record it counts. */
const removals: {
  readonly [Kind in Subject["kind"]]: { readonly as: RetentionKind; readonly remove: Remove<Kind> };
} = {
  payment: { as: "payments", remove: purgePayment },
  actionRequest: { as: "actionRequests", remove: purgeActionRequest },
  tokenRequest: { as: "tokenRequests", remove: purgeTokenRequest },
  terminalDay: { as: "terminalDays", remove: purgeTerminalDay },
};

/** The kinds of subject whose days are searched for a kind of record. Empty if the day lists do not name that kind. */
const listedKinds = (kind: RetentionKind): readonly Subject["kind"][] =>
  (Object.keys(removals) as Subject["kind"][]).filter(
    (of) => removals[of].as === kind || (kind === "webhookAttempts" && of !== "tokenRequest"),
  );

/** Purges one subject and its entry. A subject that another writer changes at the same moment stays until the next purge. */
async function purgeEntry(
  deps: PurgeDeps,
  kind: RetentionKind,
  entry: DayEntry,
  before: Instant,
): Promise<PurgeResult> {
  try {
    const result = await purgeSubject(deps, kind, entry, before);
    if (result.on !== undefined)
      await deps.listings.enter(entry.subject, { day: result.on, isOpen: false, at: before });
    if (result.outcome === "removed" || result.outcome === "later") await deps.retention.leaveDay(entry);
    return result;
  } catch (error) {
    if (error instanceof Conflict) return STAYS;
    throw error;
  }
}

function purgeSubject(deps: PurgeDeps, kind: RetentionKind, entry: DayEntry, before: Instant): Promise<PurgeResult> {
  const { subject } = entry;
  if (kind === "webhookAttempts" && subject.kind !== "tokenRequest") return purgeAttempts(deps, subject, before);
  return (removals[subject.kind].remove as Remove)(deps, entry, before);
}

/**
 * Removes the subject's old webhook attempts. Those of a payment that is listed as open stay. The payment is listed under another day when
 * it changes again.
 */
async function purgeAttempts(
  { payments, retention }: PurgeDeps,
  subject: Exclude<Subject, { readonly kind: "tokenRequest" }>,
  before: Instant,
): Promise<PurgeResult> {
  const payment = subject.kind === "payment" ? (await payments.find(subject))?.payment : undefined;
  const isOpen = payment?.listedOn !== undefined;
  return { outcome: "looked through", rows: isOpen ? 0 : await retention.removeAttempts(subject, before) };
}

/** Removes one record. Returns the number of its rows. Throws `Conflict` if it changed since it was read. */
type Removal = () => Promise<number>;

/** The removals for a kind that the day lists do not contain; such records are few. Undefined for a kind that they contain. */
async function unlistedRemovals(
  { retention }: PurgeDeps,
  kind: RetentionKind,
  before: Instant,
): Promise<readonly Removal[] | undefined> {
  switch (kind) {
    case "alerts":
      return (await retention.closedAlerts(before)).map((alert) => () => retention.removeAlert(alert).then(() => 1));
    case "bookings":
      return (await retention.bookedDays(dayOf(before))).map((day) => () => retention.removeBookedDay(day));
    default:
      return undefined;
  }
}

/** Runs the removals. A record that another writer changes at the same moment stays until the next purge. */
async function removeEach(removals: readonly Removal[], due: Due): Promise<Purged> {
  const results = await eachOf(removals, async (remove): Promise<number> => {
    try {
      return await remove();
    } catch (error) {
      if (error instanceof Conflict) return 0;
      throw error;
    }
  });
  const removed = results.filter((count) => count > 0).length;
  const rows = results.reduce((sum, count) => sum + count, 0);
  return { ...due, removed, rows, stay: results.length - removed };
}

/** Returns the number of days. Throws an error with a sentence for the operator if it is less than the kind allows. */
export function checkedDays(kind: RetentionKind, days: number = retentionTable[kind].days): number {
  const { least, because } = retentionTable[kind];
  if (!Number.isInteger(days) || days < least)
    throw new Error(`Records of the kind ${kind} must stay for at least ${least} days. ${because}`);
  return days;
}
