import type { Deadline } from "../../domain/effects.ts";
import { compareDay, dayOverdue, openDay, type ComparisonContext } from "../../domain/terminal-day/changes.ts";
import { movementsOf } from "../../domain/terminal-day/totals.ts";
import type { Instant } from "../../domain/time.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { TerminalDayKey } from "../../ports/subjects.ts";
import type { Terminals } from "../../stores/terminals.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { commitDay, type CommitDayDeps } from "./commit-day.ts";
import type { Needs } from "../needs.ts";

export interface CompareDayDeps extends CommitDayDeps, Needs<"bookings" | "timings"> {
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
  const change = read?.terminalDay && dayOverdue(read.terminalDay, { now: call.now(), timings: deps.timings });
  if (change) await commitDay(deps, call, change, { read });
  return "done";
}

/**
 * Brings a terminal's day up to date after a booking: opens it at its first booking, and compares it again if the terminal has closed it. A
 * day that is still `open` here is compared after its totals are committed, including this booking.
 */
export const updateDay = (deps: CompareDayDeps, call: CallContext, key: TerminalDayKey): Promise<"done"> =>
  retryOnConflict(async (): Promise<"done"> => {
    const read = await deps.terminalDays.find(key);
    if (read?.terminalDay) return read.terminalDay.closing ? compare(deps, call, key) : "done";
    const [first] = await deps.bookings.ofBusinessDay(key);
    if (!first) return "done";
    const opened = { ...key, terminalAsReceived: first.asReceived.terminalId };
    await commitDay(deps, call, openDay(opened, { now: call.now(), timings: deps.timings }), { read });
    return "done";
  });

/**
 * Compares a terminal's totals with the books. The day is read before its bookings, and each booking writes it again. So a comparison that
 * missed a booking fails on the day's ETag. If the books are equal, they are closed with the same change. Later bookings are booked late,
 * and compared again.
 */
const compare = (
  deps: CompareDayDeps,
  call: CallContext,
  key: TerminalDayKey,
  cause: Pick<ComparisonContext, "graceDue"> = {},
): Promise<"done"> =>
  retryOnConflict(async (): Promise<"done"> => {
    const read = await deps.terminalDays.find(key);
    if (!read?.terminalDay?.closing) return "done";
    const [booked, { holder }] = await Promise.all([
      deps.bookings.ofBusinessDay(key),
      deps.terminals.findClaim(key.terminalId),
    ]);
    const now = call.now();
    const books = { movements: movementsOf(booked), isUnderWay: holder !== undefined };
    const change = compareDay(read.terminalDay, books, { now, timings: deps.timings, ...cause });
    if (!change) return "done";
    const closes = change.terminalDay.status === "closed" && read.closedAt === undefined;
    await commitDay(deps, call, change, { read, closedAt: closes ? now : undefined });
    return "done";
  });
