import { z } from "zod";
import { actors, type HistoryEntry } from "../domain/advance.ts";
import { paymentStates, statusReasons, type Payment } from "../domain/payment.ts";
import { msBetween } from "../domain/time.ts";
import { paymentEvents } from "../domain/transitions.ts";
import type { WebhookAttempt } from "../ports/commands.ts";
import { identifier } from "./identifier.ts";
import { instant } from "./instant.ts";

const entry = z.object({
  sequence: z.int(),
  at: instant,
  by: z.enum(actors),
  event: z.enum(["request", ...paymentEvents]),
  from: z.enum(paymentStates).optional(),
  to: z.enum(paymentStates),
  reason: z.enum(statusReasons).optional(),
  detail: z.string().optional(),
  reportID: identifier.optional(),
  recordedOnly: z.boolean().meta({ description: "Told, but it changed nothing: stale or contradictory." }),
  latencyMs: z.int().meta({ description: "Since the entry before." }),
});

const delivery = z.object({
  webhookID: z.string().meta({ description: "The same on every attempt." }),
  type: z.string(),
  attempt: z.int().min(1),
  at: instant,
  outcome: z.string(),
  statusCode: z.int().optional().meta({ description: "What your server answered, if it did." }),
  latencyMs: z.int(),
});

/** A payment's life as its partner may read it. */
export const timelineObject = z
  .object({
    sessionID: identifier,
    status: z.enum(paymentStates),
    entries: z.array(entry),
    webhooks: z.array(delivery).meta({ description: "Every attempt to call back." }),
  })
  .meta({ id: "Timeline", description: "Everything that happened to a payment, in its order." });
export type TimelineObject = z.infer<typeof timelineObject>;

export const toTimelineObject = (timeline: {
  readonly payment: Payment;
  readonly history: readonly HistoryEntry[];
  readonly attempts: readonly WebhookAttempt[];
}): TimelineObject => ({
  sessionID: timeline.payment.spelled.sessionId,
  status: timeline.payment.status,
  entries: timeline.history.map((entry, i) => ({
    sequence: entry.sequence,
    at: entry.at,
    by: entry.by,
    event: entry.event,
    from: entry.from,
    to: entry.to,
    reason: entry.reason,
    detail: entry.detail,
    reportID: entry.reportId,
    recordedOnly: entry.recordedOnly ?? false,
    latencyMs: msBetween(timeline.history[i - 1]?.at ?? entry.at, entry.at),
  })),
  webhooks: timeline.attempts
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ eventId, type, attempt, at, outcome, status, ms }) => ({
      webhookID: eventId,
      type,
      attempt,
      at,
      outcome,
      statusCode: status,
      latencyMs: ms,
    })),
});
