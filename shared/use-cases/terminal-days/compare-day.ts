import type { Booking } from "../../domain/booking.ts";
import type { Deadline } from "../../domain/effects.ts";
import { compareDay, dayOverdue, openDay, type ComparisonContext } from "../../domain/terminal-day/changes.ts";
import { movementsOf } from "../../domain/terminal-day/totals.ts";
import type { Instant } from "../../domain/time.ts";
import type { Bookings } from "../../stores/bookings.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { TerminalDayKey } from "../../ports/subjects.ts";
import type { Terminals } from "../../stores/terminals.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { commitDay, type CommitDayDeps } from "./commit-day.ts";
import type { Needs } from "../needs.ts";

export interface CompareDayDeps extends CommitDayDeps, Needs<"timings"> {
  readonly bookings: Pick<Bookings, "ofTerminal" | "closeTerminal">;
  readonly terminals: Pick<Terminals, "findClaim">;
}

/**
 * Acts on a deadline of a terminal's day. Calls an operator about missing totals, or compares the day with the books. The deadline is due
 * when it is delivered, so no clocks are compared.
 */
export async function handleDayDeadline(
  deps: CompareDayDeps,
  call: CallContext,
  key: TerminalDayKey,
  { deadline, due }: { readonly deadline: Deadline; readonly due: Instant },
): Promise<"done"> {
  if (deadline !== "dayTotals") return compare(deps, call, key, deadline === "dayGrace" ? { graceDue: due } : {});
  const read = await deps.terminalDays.find(key);
  const change = read && dayOverdue(read.terminalDay, { now: call.now(), timings: deps.timings });
  if (change) await commitDay(deps, call, change, read);
  return "done";
}

/**
 * Notes that the bookings of one change are in the books of their day. Opens the day at its first booking, and compares it again if the
 * terminal has closed it. Runs after the bookings were written. A day that is still `open` here is compared after its totals are committed,
 * including this booking.
 */
export const noteBooking = (deps: CompareDayDeps, call: CallContext, booked: readonly Booking[]): Promise<"done"> =>
  retryOnConflict(async (): Promise<"done"> => {
    const [first] = booked;
    if (!first || movementsOf(booked).length === 0) return "done";
    const { partnerId, terminalId, businessDay: day, asReceived } = first;
    const key = { partnerId, terminalId, day };
    const read = await deps.terminalDays.find(key);
    if (read) return read.terminalDay.closing ? compare(deps, call, key, { isOfBooking: true }) : "done";
    const opened = { ...key, terminalAsReceived: asReceived.terminalId };
    const change = openDay(opened, { now: call.now(), timings: deps.timings });
    await commitDay(deps, call, change, undefined);
    return "done";
  });

/** The cause of a comparison; empty if the totals are the cause. */
type Cause = Pick<ComparisonContext, "graceDue" | "isOfBooking">;

/**
 * Compares a terminal's totals with the books. The day is read before the books, so that its ETag guards the data read from them. If the
 * books are equal, they are closed as they were read, before the commit. Later bookings are booked late, and compared again.
 */
const compare = (deps: CompareDayDeps, call: CallContext, key: TerminalDayKey, cause: Cause): Promise<"done"> =>
  retryOnConflict(async (): Promise<"done"> => {
    const read = await deps.terminalDays.find(key);
    if (!read?.terminalDay.closing) return "done";
    const [booked, { holder }] = await Promise.all([
      deps.bookings.ofTerminal(key),
      deps.terminals.findClaim(key.terminalId),
    ]);
    const now = call.now();
    const books = { movements: movementsOf(booked.bookings), isUnderWay: holder !== undefined };
    const change = compareDay(read.terminalDay, books, { now, timings: deps.timings, ...cause });
    if (!change) return "done";
    const closes = change.terminalDay.status === "closed" && booked.closedAt === undefined;
    if (closes) await deps.bookings.closeTerminal(key, booked, now);
    await commitDay(deps, call, change, read);
    return "done";
  });
