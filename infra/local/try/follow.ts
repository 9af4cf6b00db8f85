import { setTimeout as sleep } from "node:timers/promises";
import type { PaymentObject } from "../../../shared/contracts/objects/payment.ts";
import type { TimelineObject } from "../../../shared/contracts/objects/timeline.ts";
import { changeText } from "../../operator/common/reasons.ts";
import { stateText } from "../../operator/common/story.ts";
import { CURRENCY } from "../../pages/first-payment.ts";
import { scriptFor } from "../../terminal/simulated/scripts.ts";
import { Refused, type DemoPartnerApi } from "./partner.ts";

/** An event of a payment. */
export interface Happening {
  /** Milliseconds since the payment was requested. */
  readonly ms: number;
  readonly who: TimelineObject["entries"][number]["by"] | "webhook";
  readonly event: string;
  readonly text: string;
}

export interface Following {
  readonly partner: Pick<DemoPartnerApi, "payment" | "timeline">;
  /** The payment in the platform's response to the request. */
  readonly payment: PaymentObject;
  /** Whether the payment's webhooks have an address. */
  readonly hasWebhooks: boolean;
  readonly show: (happening: Happening) => void;
  /** Ends the following. The payment continues. */
  readonly signal: AbortSignal;
}

const EVERY_MS = 100;
/** Longer than a payment may run, including the time in which its terminal is asked for the outcome. */
const PATIENCE_MS = 300_000;
/** Follow-up work of the platform, such as reversing a second charge, has begun this long after the end. */
const QUIET_MS = 400;
/** How long to wait after the end for its first webhook, and for a charge to be reversed. */
const LINGER_MS = 10_000;
/** The duration of one step of the terminal on autopilot. */
const STEP_MS = 100;

/**
 * Tells every event of the payment, as its partner reads it. Resolves with the payment when it has ended, or when it waits for a capture
 * that the partner must request. Resolves with the payment as it is after five minutes, and when the signal aborts.
 */
export async function followPayment({
  partner,
  payment,
  hasWebhooks,
  show,
  signal,
}: Following): Promise<PaymentObject> {
  const { sessionID } = payment;
  let now = payment;
  const quietMs = QUIET_MS + STEP_MS * (scriptFor(payment.totalAmountInclVat, CURRENCY).chargesAfter ?? 0);
  const began = performance.now();
  const shown = new Set<string>();
  let changedAt = began;
  const isOver = (read: Read | undefined): boolean => {
    const at = performance.now();
    if (signal.aborted || at - began > PATIENCE_MS) return true;
    return hasEnded(now) && at - changedAt >= (isToCome(read, hasWebhooks) ? LINGER_MS : quietMs);
  };
  for (;;) {
    const read = await readBoth(partner, sessionID);
    now = read?.payment ?? now;
    const fresh = freshOf(read, shown);
    fresh.forEach(show);
    if (fresh.length > 0) changedAt = performance.now();
    if (isOver(read)) return now;
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {}); // `isOver` sees an aborted signal
  }
}

/** Whether the payment has reached the end that its partner requested. With manual capture, that is the authorization. */
export const hasEnded = ({ final, captureMode, status }: PaymentObject): boolean =>
  final || (captureMode === "manual" && status === "authorized");

interface Read {
  readonly timeline: TimelineObject;
  readonly payment: PaymentObject;
}

/** The payment as it is now. Undefined if the platform could not answer this time. */
async function readBoth(partner: Following["partner"], sessionID: string): Promise<Read | undefined> {
  try {
    const [timeline, payment] = await Promise.all([partner.timeline(sessionID), partner.payment(sessionID)]);
    return { timeline, payment };
  } catch (error) {
    if (error instanceof Refused && error.isPassing) return undefined;
    throw error;
  }
}

/** The events that were not shown yet. Adds them to `shown`. */
function freshOf(read: Read | undefined, shown: Set<string>): readonly Happening[] {
  const fresh = (read ? happeningsOf(read.timeline) : []).filter(({ id }) => !shown.has(id));
  for (const { id } of fresh) shown.add(id);
  return fresh.map(({ id: _, ...happening }) => happening);
}

/** Whether the webhook of the end, or a reversal that has begun, is still to come. */
function isToCome(read: Read | undefined, hasWebhooks: boolean): boolean {
  if (!read) return true;
  const { status, charges } = read.payment;
  const isTold = read.timeline.webhooks.some(({ type }) => type === `payment.${status}`);
  return (hasWebhooks && !isTold) || charges.some((charge) => charge.status === "reversing");
}

/** The payment's events and webhook attempts by time, each with a unique `id`. */
function happeningsOf({ entries, webhooks }: TimelineObject): readonly (Happening & { readonly id: string })[] {
  const began = Date.parse(entries[0]?.at ?? "");
  const since = (at: string) => Date.parse(at) - began;
  const changes = entries.map((entry) => ({
    id: String(entry.sequence),
    ms: since(entry.at),
    who: entry.by,
    event: entry.event,
    text: `${changeText(entry)}${stateText(entry)}${entry.detail === undefined ? "" : `: "${entry.detail}"`}`,
  }));
  const attempts = webhooks.map((attempt) => ({
    id: `${attempt.webhookID} ${attempt.attempt}`,
    ms: since(attempt.at),
    who: "webhook" as const,
    event: attempt.type,
    text: attemptText(attempt),
  }));
  return [...changes, ...attempts].toSorted((one, other) => one.ms - other.ms);
}

function attemptText({ type, attempt, outcome, statusCode, latencyMs }: TimelineObject["webhooks"][number]): string {
  const how = outcome === "status" ? "failed" : outcome;
  const answer = statusCode === undefined ? "" : `, ${statusCode}`;
  return `Webhook ${type}${attempt === 1 ? "" : `, attempt ${attempt}`}: ${how}${answer} in ${latencyMs} ms`;
}
