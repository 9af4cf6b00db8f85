import { toSettlementDay } from "../../contracts/objects/settlement-days.ts";
import { sumOf } from "../../domain/booking.ts";
import type { Instant } from "../../domain/time.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PartnerDayKey, TerminalDayKey } from "../../ports/subjects.ts";
import type { NewCommand } from "../../stores/commands.ts";
import type { ClosedDay, DayTerminal, StoredPartnerDay } from "../../stores/partner-days.ts";
import { eachOf } from "../each-of.ts";
import { announceAndCommit, type AnnounceDeps } from "../outbox/announce-and-commit.ts";
import { eventIdOf } from "../outbox/store-effects.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import type { Needs } from "../needs.ts";
import { totalsOfFile } from "./totals-of-file.ts";

export type CloseDayDeps = AnnounceDeps & Needs<"bookings" | "partnerDays" | "terminalDays">;

/** The most terminals that one run closes, so that a run takes seconds. */
const TERMINALS_OF_RUN = 200;

/**
 * Closes a partner's day. No further terminal is entered. Then the day of each entered terminal is closed, and its totals are copied to the
 * partner's day. At last the file is closed. A run closes some of the terminals. It may be interrupted, and the next one goes on. Returns
 * whether the day is closed. Throws `Conflict` if the day changed since it was read.
 */
export async function closePartnerDay(
  deps: CloseDayDeps,
  call: CallContext,
  key: PartnerDayKey,
  read: StoredPartnerDay,
): Promise<boolean> {
  const { partnerDays } = deps;
  const closing = read.state === "open" ? await partnerDays.beginClosing(key, call.now(), read) : read;
  const closedAt = closing.closedAt ?? call.now();
  const terminals = await partnerDays.terminals(key);
  const open = terminals.filter(({ totals }) => totals === undefined);
  const some = open.slice(0, TERMINALS_OF_RUN);
  const closed = await eachOf(some, (terminal) => closeTerminal(deps, { ...key, ...terminal }, closedAt));
  await partnerDays.saveTotals(key, closed);
  if (some.length < open.length) return false;
  const all = [...terminals, ...closed].flatMap(({ totals = [] }) => totals);
  await commit(deps, call, key, { read: closing, closed: { closedAt, totals: sumOf(all) } });
  return true;
}

/** Closes the terminal's file of the day. Then it never changes, so its totals are those of every later reader. */
async function closeTerminal(
  deps: CloseDayDeps,
  { terminalId, merchantId, day }: DayTerminal & Pick<TerminalDayKey, "day">,
  closedAt: Instant,
): Promise<DayTerminal> {
  const key = { terminalId, day };
  await retryOnConflict(async () => {
    const own = await deps.terminalDays.find(key);
    if (own?.closedAt === undefined) await deps.terminalDays.closeBooks(key, closedAt, own);
  });
  const totals = await totalsOfFile(deps, key);
  // An earlier version entered the terminal without its merchant.
  const of = merchantId ?? (await deps.bookings.ofFile(key, { atMost: 1 }))[0]?.merchantId;
  return { terminalId, merchantId: of, totals: [...totals] };
}

async function commit(
  deps: CloseDayDeps,
  call: CallContext,
  key: PartnerDayKey,
  { read, closed }: { readonly read: StoredPartnerDay; readonly closed: Omit<ClosedDay, "sequence"> },
): Promise<void> {
  const sequence = (read.sequence ?? 0) + 1;
  const commandId = call.newId();
  const type = "settlement.closed";
  const eventId = eventIdOf({ about: undefined }, { name: key.day, sequence, commandId });
  const data = toSettlementDay({ date: key.day, isClosed: true, ...closed });
  const command: NewCommand = {
    commandId,
    effects: [{ kind: "webhook", type, eventId }],
    event: { data, causedBy: "platform" },
  };
  await announceAndCommit(deps, {
    subject: { kind: "partnerDay", ...key },
    command,
    call,
    commit: () => deps.partnerDays.close(key, { ...closed, sequence }, { read, command }),
  });
}
