import { msBetween } from "../domain/time.ts";
import type { HistoryEntry } from "../domain/advance.ts";
import type { Payment } from "../domain/payment.ts";
import type { WebhookAttempt } from "../ports/commands.ts";

/** A payment's life as its partner may read it. `latencyMs` is the time since the entry before. */
export const toTimelineObject = (timeline: {
  readonly payment: Payment;
  readonly history: readonly HistoryEntry[];
  readonly attempts: readonly WebhookAttempt[];
}) => ({
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
export type TimelineObject = ReturnType<typeof toTimelineObject>;
