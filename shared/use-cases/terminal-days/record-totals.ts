import { closeDay } from "../../domain/terminal-day/changes.ts";
import type { DayClosing } from "../../domain/terminal-day/terminal-day.ts";
import { invalidField, type Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { dayOf, after, type Day, type Instant } from "../../domain/time.ts";
import type { TerminalCall } from "../caller.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { commitDay, type CommitDayDeps } from "./commit-day.ts";
import type { Needs } from "../needs.ts";

export type RecordTotalsDeps = CommitDayDeps & Needs<"timings">;

export interface TotalsInput extends Omit<DayClosing, "at"> {
  readonly day: Day;
}

/** Earlier closings and bookings of a closed day are compared in the same row. A burst of these must not fail the terminal's call. */
const MOST_TRIES = 25;

/**
 * Records a terminal's totals of its business day. Repeating a closing is a replay, however many followed it. The same identifier with
 * other totals is refused. Another closing corrects the earlier ones. The comparison with the books is a later change.
 */
export const recordTotals = (
  deps: RecordTotalsDeps,
  call: TerminalCall,
  { day, ...said }: TotalsInput,
): Promise<Result<{ readonly replayed: boolean }, Refusal<"validation_failed" | "idempotency_mismatch">>> =>
  retryOnConflict(async () => {
    const { partnerId, terminalId, idAsReceived: terminalAsReceived } = call.caller.terminal;
    const now = call.now();
    if (!isPossible(day, now))
      return refuse(
        invalidField("businessDay", "out_of_range", "must be a day of the last year, or of the next three days"),
      );
    const key = { partnerId, terminalId, day };
    const [read, before] = await Promise.all([
      deps.terminalDays.find(key),
      deps.terminalDays.findClosing(key, said.closingId),
    ]);
    if (before && isSame(before, said)) return ok({ replayed: true });
    if (before) return refuse({ code: "idempotency_mismatch", detail: OTHER_TOTALS });
    const known = read?.terminalDay ?? { ...key, terminalAsReceived };
    await commitDay(deps, call, closeDay(known, { ...said, at: now }, { now, timings: deps.timings }), { read });
    return ok({ replayed: false });
  }, MOST_TRIES);

const OTHER_TOTALS = "This closing has other totals. Send corrected totals under a new closingID.";

const DAY_SECONDS = 86_400;
/** A terminal may have been without power for months. Its clock may be wrong by more than a time zone, but never by years. */
const DAYS_BACK = 366;
const DAYS_AHEAD = 3;

const isPossible = (day: Day, now: Instant): boolean =>
  day >= dayOf(after(now, -DAYS_BACK * DAY_SECONDS)) && day <= dayOf(after(now, DAYS_AHEAD * DAY_SECONDS));

const isSame = (one: DayClosing, other: Omit<DayClosing, "at">): boolean =>
  JSON.stringify([one.totals, one.lastChargeId]) === JSON.stringify([other.totals, other.lastChargeId]);
