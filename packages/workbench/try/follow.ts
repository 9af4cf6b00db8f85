import { nextAttemptAfter } from "../../../shared/adapters/webhooks/retry-schedule.ts";
import type { PaymentObject } from "../../../shared/contracts/objects/payment.ts";
import type { TerminalDayObject } from "../../../shared/contracts/objects/terminal-day.ts";
import type { TimelineObject } from "../../../shared/contracts/objects/timeline.ts";
import { toMinorUnits } from "../../../shared/domain/money.ts";
import { changeText } from "../../../infra/operator/common/reasons.ts";
import { stateText } from "../../../infra/operator/common/story.ts";
import type { Script } from "../../terminal/simulated/scripts.ts";
import type { Changes } from "./changes.ts";
import type { Happening, Lines } from "./lines.ts";
import { partnersPart, type PartnerRequests } from "./partners-part.ts";
import { Refused, type DemoPartnerApi } from "./partner.ts";

export interface Following {
  readonly partner: Pick<DemoPartnerApi, "payment" | "timeline" | "day"> & PartnerRequests;
  /** The payment in the platform's response to the request. */
  readonly payment: PaymentObject;
  /** The script that the terminal plays. Undefined if the terminal plays none. */
  readonly script: Script | undefined;
  /** Whether the payment's webhooks have an address. */
  readonly hasWebhooks: boolean;
  readonly lines: Pick<Lines, "tell" | "has">;
  readonly changes: Changes;
  /** Ends the following. The payment continues. */
  readonly signal: AbortSignal;
}

/** The pause after a change, and the longest one. Each pause without a change doubles the next one. */
const [FIRST_MS, LONGEST_MS] = [500, 4_000];
/** Longer than a payment may run, including the time in which its terminal is asked for the outcome. */
const PATIENCE_MS = 300_000;
/** Follow-up work of the platform, such as reversing a second charge, has begun this long after the end. */
const QUIET_MS = 400;
/** How long to wait after the end for its first webhook, for a charge to be reversed, and for what the script shows. */
const LINGER_MS = 20_000;

/**
 * Tells every event of the payment, as its partner reads it, and plays the partner's part in the script. Resolves with the payment when it
 * has ended, or when it waits for a capture that the partner must request. Resolves with the payment as it is after five minutes, and when
 * the signal aborts.
 */
export async function followPayment(following: Following): Promise<PaymentObject> {
  const { partner, payment, script, lines, changes, signal } = following;
  const began = performance.now();
  const look = newLook(following, partnersPart(partner, payment, script?.partner));
  let now = payment;
  let changedAt = began;
  let pause = FIRST_MS;
  await changes.within(FIRST_MS); // the response to the request told the first change
  for (;;) {
    const seen = await look();
    if (seen) {
      now = seen.payment;
      seen.fresh.forEach(lines.tell);
      if (seen.fresh.length > 0) [changedAt, pause] = [performance.now(), FIRST_MS];
    }
    const rest = restOf(now, seen, following);
    if (performance.now() - changedAt >= rest) return now;
    const mayHaveChanged = await changes.within(Math.min(rest, pause));
    if (signal.aborted || performance.now() - began > PATIENCE_MS) return now;
    if (rest === QUIET_MS && !mayHaveChanged) return now;
    pause = Math.min(pause * 2, LONGEST_MS);
  }
}

/** How long the payment must stay unchanged until it is over. */
function restOf(now: PaymentObject, seen: Seen | undefined, following: Following): number {
  if (!hasEnded(now)) return Infinity;
  return seen && !isToCome(seen, following) ? QUIET_MS : LINGER_MS;
}

/** Whether the payment has reached the end that its partner requested. With manual capture, that is the authorization. */
export const hasEnded = ({ final, captureMode, status }: PaymentObject): boolean =>
  final || (captureMode === "manual" && status === "authorized");

interface Read {
  readonly timeline: TimelineObject;
  readonly payment: PaymentObject;
  /** The terminal's business day, if the script closes it. */
  readonly day: TerminalDayObject | undefined;
}

interface Seen extends Read {
  /** The events that no earlier look saw. */
  readonly fresh: readonly Happening[];
}

/**
 * Returns a function that reads the payment, and plays the partner's part at its status. The function resolves with undefined if the
 * platform could not answer this time. It reads the payment only if its timeline has a new entry.
 */
function newLook({ partner, payment, script }: Following, play: ReturnType<typeof partnersPart>) {
  const shown = new Set<string>();
  let [now, length] = [payment, 0];
  const read = async (): Promise<Read> => {
    const timeline = await partner.timeline(payment.sessionID);
    // Read after the timeline, so that it has the charge of each entry.
    if (timeline.entries.length > length) now = await partner.payment(payment.sessionID);
    length = timeline.entries.length;
    await play(now.status);
    const day = script?.closesDay && now.final ? await partner.day(now) : undefined;
    return { timeline, payment: now, day };
  };
  return async (): Promise<Seen | undefined> => {
    try {
      const seen = await read();
      const fresh = happeningsOf(seen).filter(({ id }) => !shown.has(id));
      for (const { id } of fresh) shown.add(id);
      return { ...seen, fresh: fresh.map(({ id: _, ...happening }) => happening) };
    } catch (error) {
      if (error instanceof Refused && error.isPassing) return undefined;
      throw error;
    }
  };
}

/** Whether the webhook of the end, a reversal that has begun, or what the script shows is still to come. */
function isToCome({ payment, timeline }: Read, { hasWebhooks, script, lines }: Following): boolean {
  const isTold = timeline.webhooks.some(({ type }) => type === `payment.${payment.status}`);
  const isShown = script === undefined || lines.has(script.shows);
  return (hasWebhooks && !isTold) || !isShown || payment.charges.some((charge) => charge.status === "reversing");
}

/** The payment's events and webhook attempts by time, each with a unique `id`. */
function happeningsOf({
  timeline: { entries, webhooks },
  payment,
  day,
}: Read): readonly (Happening & { readonly id: string })[] {
  const began = Date.parse(entries[0]?.at ?? "");
  const since = (at: string) => Date.parse(at) - began;
  const changes = entries.map((entry) => ({
    id: String(entry.sequence),
    ms: since(entry.at),
    who: entry.by,
    event: entry.event,
    text: `${changeText({ ...entry, said: saidIn(payment, entry) }, payment.currency)}${stateText(entry)}${entry.detail === undefined ? "" : `: "${entry.detail}"`}`,
  }));
  const attempts = webhooks.map((attempt) => ({
    id: `${attempt.webhookID} ${attempt.attempt}`,
    ms: since(attempt.at) + attempt.latencyMs, // the line says how it ended
    who: "webhook" as const,
    event: attempt.type,
    text: attemptText(attempt),
  }));
  return [...changes, ...attempts, ...closingsOf(day, since)].toSorted((one, other) => one.ms - other.ms);
}

/** The amount of a change, from what the payment had created or changed at that time. Undefined if it does not show one. */
function saidIn(payment: PaymentObject, entry: TimelineObject["entries"][number]) {
  const told = moneyAt(payment, entry);
  const minor = told && toMinorUnits(told.amount, told.currency);
  return minor?.ok ? { amount: minor.value, currency: told?.currency } : undefined;
}

function moneyAt(payment: PaymentObject, { event, at }: TimelineObject["entries"][number]) {
  const { amounts, currency, charges, refunds } = payment;
  const charge = charges.find(({ createdAt }) => createdAt === at);
  if (charge) return charge;
  const refund = refunds.find(({ createdAt, updatedAt }) => createdAt === at || updatedAt === at);
  if (refund && event.startsWith("refund")) return { amount: refund.refundAmount, currency };
  if (event === "request") return { amount: amounts.requested, currency };
  const isCapture = event === "captured" && charges.some(({ updatedAt }) => updatedAt === at);
  return isCapture ? { amount: amounts.captured, currency } : undefined;
}

function attemptText({
  type,
  attempt,
  outcome,
  reason,
  statusCode,
  latencyMs,
}: TimelineObject["webhooks"][number]): string {
  const how = outcome === "status" ? "failed" : outcome;
  const answer = [reason, statusCode].map((said) => (said === undefined ? "" : `, ${said}`)).join("");
  const pause = ["delivered", "gone"].includes(outcome) ? undefined : nextAttemptAfter(attempt, 0.5);
  const again = pause === undefined ? "" : `; the next attempt follows about ${Math.round(pause)} s later`;
  return `Webhook ${type}${attempt === 1 ? "" : `, attempt ${attempt}`}: ${how}${answer} in ${latencyMs} ms${again}`;
}

/** The end of the terminal's day, if the terminal closed it after this payment began. */
function closingsOf(day: TerminalDayObject | undefined, since: (at: string) => number) {
  if (day?.closingID === undefined || day.closedAt === undefined || since(day.closedAt) < 0) return [];
  const text = `The terminal closed its business day ${day.businessDay}: ${dayTexts[day.status]}`;
  const id = `${day.closingID} ${day.status}`;
  return [{ id, ms: since(day.closedAt), who: "terminal" as const, event: "dayClosed", text }];
}

const dayTexts: Readonly<Record<TerminalDayObject["status"], string>> = {
  open: "open",
  comparing: "its totals differ from the books, which is not final yet",
  closed: "its totals equal the books",
  differs: "its totals differ from the books",
  missing: "its totals did not arrive in time",
};
