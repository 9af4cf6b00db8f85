import { movementsOf, totalsOf } from "../../domain/terminal-day/totals.ts";
import type { TerminalDay } from "../../domain/terminal-day/terminal-day.ts";
import { invalidField, type Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { isDay, type Day } from "../../domain/time.ts";
import type { Bookings } from "../../stores/bookings.ts";
import type { TerminalDays } from "../../stores/terminal-days.ts";
import type { Terminals } from "../../stores/terminals.ts";
import { reaches, type PartnerCall } from "../caller.ts";

export interface ReadDayDeps {
  readonly bookings: Pick<Bookings, "ofBusinessDay">;
  readonly terminals: Pick<Terminals, "find" | "findRetired">;
  readonly terminalDays: Pick<TerminalDays, "find">;
}

/** A day as a partner reads it. Without totals it shows the books as they are now, otherwise as they were last compared. */
export type ReadDay = Pick<TerminalDay, "terminalAsReceived" | "day" | "status" | "differences" | "sequence"> &
  Partial<TerminalDay>;

/** Reads the business day of a terminal. A day without any data is `open`, without movements. */
export async function readDay(
  deps: ReadDayDeps,
  { caller }: PartnerCall,
  idAsReceived: string,
  day: Day,
): Promise<Result<ReadDay, Refusal<"terminal_not_found" | "validation_failed">>> {
  const terminalId = idAsReceived.toLowerCase();
  if (!isDay(day)) return refuse(invalidField("date", "invalid", "must be a day such as 2026-11-21"));
  const key = { partnerId: caller.partnerId, terminalId, day };
  const terminal = reaches(caller, terminalId) ? await ownTerminal(deps, terminalId) : undefined;
  if (terminal?.partnerId !== key.partnerId) return refuse({ code: "terminal_not_found" });
  const read = await deps.terminalDays.find(key);
  if (read?.terminalDay?.booked) return ok(read.terminalDay);
  const booked = totalsOf(movementsOf(await deps.bookings.ofBusinessDay(key)));
  if (read?.terminalDay) return ok({ ...read.terminalDay, booked });
  return ok({ terminalAsReceived: terminal.idAsReceived, day, status: "open", booked, differences: [], sequence: 0 });
}

/** The days of a retired terminal stay readable. */
const ownTerminal = async ({ terminals }: ReadDayDeps, terminalId: string) =>
  (await terminals.find(terminalId))?.terminal ?? terminals.findRetired(terminalId);
