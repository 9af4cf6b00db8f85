import { closingOf, firstClosing } from "../../domain/booking.ts";
import { after, later, type Instant } from "../../domain/time.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PartnerDayKey } from "../../ports/subjects.ts";
import { isCarriedOut } from "../../stores/commands.ts";
import type { DayTerminal, StoredPartnerDay } from "../../stores/partner-days.ts";
import { eachOf } from "../each-of.ts";
import type { Directly } from "../outbox/committed-command.ts";
import type { Outcome } from "../outbox/outcome.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import type { Needs } from "../needs.ts";
import { closePartnerDay, type CloseDayDeps } from "./close-day.ts";

/** Looks at the partner's day that an announcement names. Undefined if the announcement is of another subject. */
export function dayLookAnnounced(
  deps: CloseDayDeps & Needs<"clock" | "newId">,
  { subject, at, traceparent }: Announcement,
): Directly | undefined {
  if (at === undefined || subject.kind !== "partnerDay") return undefined;
  const { partnerId, day } = subject;
  const call = { now: deps.clock.now, newId: deps.newId, traceparent };
  return () => retryOnConflict(() => lookAtDay(deps, call, { partnerId, day }, at));
}

/** The time between two looks at a day that is over and not yet closed by all its terminals, or whose event is not delivered. */
const PAUSE_SECONDS = 3_600;

/**
 * Closes a partner's day if that is due, and otherwise asks for another look. A day that is closed and whose event is carried out leaves
 * the list of open days. A look is due when it is delivered, so no clocks are compared. Undefined if the day has no row: its first booking
 * may still write it.
 */
export async function lookAtDay(
  deps: CloseDayDeps,
  call: CallContext,
  key: PartnerDayKey,
  at: Instant,
): Promise<Outcome | undefined> {
  const read = await deps.partnerDays.find(key);
  if (!read) return undefined;
  const nextLook = { lookAt: later(firstClosing(key.day), after(at, PAUSE_SECONDS)) };
  if (read.state === "closed") {
    const commands = await deps.commands.ofSubject({ kind: "partnerDay", ...key });
    if (!commands.every(isCarriedOut)) return nextLook;
    await deps.partnerDays.leaveOpen(key);
    return "pointless";
  }
  if (!(await isClosingDue(deps, key, { read, at }))) return nextLook;
  return (await closePartnerDay(deps, call, key, read)) ? nextLook : { lookAt: at };
}

/** Whether a day that is not closed is to be closed at this moment. A day that is being closed always is. */
export async function isClosingDue(
  { partnerDays, terminalDays }: Needs<"partnerDays" | "terminalDays">,
  key: PartnerDayKey,
  { read, at }: { readonly read: StoredPartnerDay; readonly at: Instant },
): Promise<boolean> {
  const closing = closingOf(key.day, at);
  if (read.state !== "open" || closing !== "terminals") return read.state !== "open" || closing !== "notYet";
  const isOpen = isOpenOn(terminalDays, key);
  return !(await eachOf(await partnerDays.terminals(key), isOpen, Boolean)).some(Boolean);
}

/** The terminals with bookings under the day that have not closed it. They keep the settlement open, for three days at most. */
export async function openTerminals(
  { partnerDays, terminalDays }: Needs<"partnerDays" | "terminalDays">,
  key: PartnerDayKey,
): Promise<DayTerminal[]> {
  const terminals = await partnerDays.terminals(key);
  const open = await eachOf(terminals, isOpenOn(terminalDays, key));
  return terminals.filter((_, at) => open[at]);
}

const isOpenOn =
  (terminalDays: Needs<"terminalDays">["terminalDays"], { day }: PartnerDayKey) =>
  async ({ terminalId }: DayTerminal): Promise<boolean> =>
    (await terminalDays.find({ terminalId, day }))?.closedAt === undefined;
