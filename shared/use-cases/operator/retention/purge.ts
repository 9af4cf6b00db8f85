import { daysBefore, retentionTable, type RetentionKind } from "../../../domain/retention.ts";
import { dayOf, type Day, type Instant } from "../../../domain/time.ts";
import { Conflict } from "../../../ports/failures.ts";
import type { BoundKey } from "../../../stores/idempotency-keys.ts";
import type { DayMark, Place } from "../../../stores/marks.ts";
import type { Subject } from "../../../ports/subjects.ts";
import { AT_ONCE, eachOf } from "../../each-of.ts";
import { allActionPlaces, allPages, allTerminals, type OnProgress, type PlacesDeps, PROGRESS_STEP } from "../places.ts";
import { purgeActionRequest, type PurgeActionRequestDeps } from "./purge-action-request.ts";
import { purgeCreated } from "./purge-created.ts";
import { countEvents, purgeEvents, type PurgeEventsDeps } from "./purge-events.ts";
import { countReceipts, purgeReceipts } from "./purge-receipts.ts";
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
  PlacesDeps &
  Needs<"idempotencyKeys" | "marks" | "partners" | "retention">;

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

interface Call {
  readonly now: () => Instant;
  readonly onProgress?: OnProgress;
}

/**
 * Counts the records that are old enough, from the marks of days, the alerts, the booked days and the feeds. Reads no subject, and changes
 * nothing. Throws `Unavailable`.
 */
export async function planPurge(deps: PurgeDeps, { now, onProgress }: Call, order: PurgeOrder): Promise<PurgePlan> {
  const before = daysBefore(now(), order.days);
  if (order.kind === "events") return { ...order, before, atMost: await countEvents(deps, before) };
  if (order.kind === "receipts") return { ...order, before, atMost: await countReceipts(deps, before, onProgress) };
  const removals = await unmarkedRemovals(deps, order.kind, before);
  if (removals) return { ...order, before, atMost: removals.length };
  const named = new Set<string>();
  for await (const marks of oldMarks(deps, order.kind, before, onProgress))
    for (const mark of marks) named.add(nameOf(mark));
  return { ...order, before, atMost: named.size };
}

/**
 * Removes the records that are old enough, place by place. May be interrupted at any moment and run again: a record is found by its marks,
 * which leave last. Throws `Unavailable`.
 */
export async function purge(deps: PurgeDeps, { now, onProgress }: Call, order: PurgeOrder): Promise<Purged> {
  const before = daysBefore(now(), order.days);
  if (order.kind === "events") return { ...order, before, ...(await purgeEvents(deps, before)), stay: 0 };
  if (order.kind === "receipts")
    return { ...order, before, ...(await purgeReceipts(deps, before, onProgress)), stay: 0 };
  const removals = await unmarkedRemovals(deps, order.kind, before);
  if (removals) return removeEach(removals, { ...order, before });
  const done = { removed: 0, rows: 0, stay: 0 };
  for await (const marks of oldMarks(deps, order.kind, before, onProgress)) {
    const subjects = [...Map.groupBy(marks, nameOf).values()];
    for (const result of await eachOf(subjects, (ofSubject) => purgeMarked(deps, ofSubject, before))) {
      done.rows += result.rows;
      if (result.rows > 0) done.removed++;
      if (result.outcome === "stays") done.stay++;
    }
  }
  if (order.kind === "payments")
    for (const partnerId of await deps.partners.list()) done.rows += await purgeCreated(deps, partnerId, before);
  return { ...order, before, ...done };
}

interface Due extends PurgeOrder {
  readonly before: Instant;
}

/** The most marks that are read at once in one place. */
const PAGE = 1_000;

/** The marks of days before this moment, a page of each of sixteen places at a time. */
async function* oldMarks(
  deps: PurgeDeps,
  kind: RetentionKind,
  before: Instant,
  onProgress: OnProgress = () => {},
): AsyncGenerator<readonly DayMark[]> {
  const marked = (Object.keys(removals) as MarkedKind[]).find((one) => removals[one].as === kind);
  if (!marked) throw new Error(`no subject is a record of the kind ${kind}`);
  const of = marked as Subject["kind"];
  const places = await removals[marked].places(deps);
  for (let i = 0; i < places.length; i += AT_ONCE) {
    let open: { readonly place: Place; readonly after?: DayMark | undefined }[] = places
      .slice(i, i + AT_ONCE)
      .map((place) => ({ place }));
    while (open.length > 0) {
      const pages = await Promise.all(
        open.map(async ({ place, after }) => {
          const marks = await deps.marks.changedBefore(place, of, { day: dayOf(before), after, atMost: PAGE });
          return { place, marks };
        }),
      );
      yield pages.flatMap(({ marks }) => marks);
      open = pages
        .filter(({ marks }) => marks.length === PAGE)
        .map(({ place, marks }) => ({ place, after: marks.at(-1) }));
    }
    if (i > 0 && i % PROGRESS_STEP < AT_ONCE) onProgress(i, places.length);
  }
}

const nameOf = ({ subject }: DayMark): string => JSON.stringify(subject);

/** The kinds of subject that are found by their marks. A partner's day leaves with its bookings. */
type MarkedKind = Exclude<Subject["kind"], "partnerDay">;

/** How each kind of subject is found and removed, and as which kind of record it counts. */
const removals: {
  readonly [Kind in MarkedKind]: {
    readonly as: RetentionKind;
    readonly places: (deps: PurgeDeps) => Promise<readonly Place[]>;
    readonly remove: (deps: PurgeDeps, mark: DayMark<Kind>, before: Instant) => Promise<PurgeResult>;
  };
} = {
  payment: { as: "payments", places: allTerminals, remove: purgePayment },
  terminalDay: { as: "terminalDays", places: allTerminals, remove: purgeTerminalDay },
  actionRequest: { as: "actionRequests", places: allActionPlaces, remove: purgeActionRequest },
  tokenRequest: { as: "tokenRequests", places: allPages, remove: purgeTokenRequest },
};

/** Purges one subject and its old marks. A subject that another writer changes at the same moment stays until the next purge. */
async function purgeMarked(deps: PurgeDeps, marks: readonly DayMark[], before: Instant): Promise<PurgeResult> {
  const [mark] = marks;
  if (!mark) return STAYS;
  try {
    const remove = removals[mark.subject.kind as MarkedKind].remove as (typeof removals)["payment"]["remove"];
    const result = await remove(deps, mark as DayMark<"payment">, before);
    if (result.outcome !== "stays")
      for (const [i, old] of marks.entries()) await deps.marks.leave(old, i === 0 ? result.on : undefined);
    return result;
  } catch (error) {
    if (error instanceof Conflict) return STAYS;
    throw error;
  }
}

/** Removes one record. Returns the number of its rows. Throws `Conflict` if it changed since it was read. */
type Removal = () => Promise<number>;

/** The removals for a kind without marks of subjects. Undefined for a kind with such marks. */
async function unmarkedRemovals(
  deps: PurgeDeps,
  kind: RetentionKind,
  before: Instant,
): Promise<readonly Removal[] | undefined> {
  const { retention, idempotencyKeys } = deps;
  switch (kind) {
    case "alerts":
      return (await retention.closedAlerts(before)).map((alert) => () => retention.removeAlert(alert).then(() => 1));
    case "bookings":
      return (await retention.bookedDays(dayOf(before))).map((day) => () => retention.removeBookedDay(day));
    case "idempotencyKeys":
      return (await keysBoundBefore(deps, dayOf(before))).map(
        (key) => () => idempotencyKeys.remove(key, dayOf(before)),
      );
    default:
      return undefined;
  }
}

async function keysBoundBefore({ idempotencyKeys, partners }: PurgeDeps, day: Day): Promise<readonly BoundKey[]> {
  const found = await eachOf(await partners.list(), async (partnerId) => {
    const keys: BoundKey[] = [];
    for (let page = PAGE; page === PAGE;) {
      const more = await idempotencyKeys.boundBefore(partnerId, { day, after: keys.at(-1), atMost: PAGE });
      keys.push(...more);
      page = more.length;
    }
    return keys;
  });
  return found.flat();
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
