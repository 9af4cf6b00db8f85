import * as z from "zod";
import type { HistoryEntry } from "../../domain/payment/record/history-entry.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { msBetween } from "../../domain/time.ts";
import type { WebhookAttempt } from "../../domain/webhook-attempt.ts";
import { instant, reportID, sessionID } from "../fields.ts";
import { values } from "../values.ts";
import { actor, paymentChange, paymentStatus, paymentStatusReason } from "./payment-values.ts";

/** How an attempt to send a webhook may end. */
export const webhookOutcomes = {
  delivered: "Your server responded 2xx.",
  gone: "Your server responded 410. The event is not sent again.",
  status: "Your server responded with another status.",
  "time-out": "Your server did not respond in 15 seconds.",
  connection: "There was no connection to your server, or it ended without a response.",
  malformed: "Your server's response was not valid HTTP/1.1, or its headers exceeded 64 KiB.",
  tls: "Your server's certificate or TLS was not accepted.",
  "refused-address": "The address is not public, or not https on port 443.",
  challenge: "Your server did not return the nonce of a challenge.",
  "host-not-registered": "You have not registered the host.",
} as const;

const says = (description: string) => ({ description });

export const attemptReason = z
  .string()
  .optional()
  .meta(says("The error code of OpenSSL or Node.js if `outcome` is `tls` or `malformed`, such as `CERT_HAS_EXPIRED`."));
export const attemptStatus = z.int().optional().meta(says("Your server's response status, if it responded."));

const entry = z
  .object({
    sequence: z
      .int()
      .meta(
        says("Higher than the previous entry's: by one, or by more after the platform was restored from an export."),
      ),
    at: instant.meta(says("The time of the change.")),
    by: actor,
    event: paymentChange,
    from: paymentStatus.optional(),
    to: paymentStatus,
    reason: paymentStatusReason.optional(),
    detail: z.string().optional().meta(says("The terminal's text, or our operator's note.")),
    reportID: reportID.optional(),
    recordedOnly: z.boolean().meta(says("The report had no effect, because it was out of date or contradictory.")),
    latencyMs: z.int().meta(says("Milliseconds since the previous entry.")),
  })
  .meta({ id: "TimelineEntry", description: "A change of the payment, or a report without effect." });

const delivery = z
  .object({
    webhookID: z.string().meta(says("The same on every attempt.")),
    type: z.string().meta(says("The type of the event.")),
    attempt: z.int().min(1).meta(says("The first is 1.")),
    at: instant.meta(says("The time of creation.")),
    outcome: values("WebhookOutcome", "The result of the attempt.", webhookOutcomes),
    reason: attemptReason,
    statusCode: attemptStatus,
    latencyMs: z.int().meta(says("Milliseconds until your server responded.")),
  })
  .meta({ id: "WebhookAttempt", description: "An attempt to send a webhook." });

/** A payment's timeline as its partner reads it. */
export const timelineObject = z
  .object({
    sessionID,
    status: paymentStatus,
    entries: z.array(entry).meta(says("Every change, and every report without effect.")),
    responseWebhookUrl: z.string().optional().meta({
      format: "uri",
      description:
        "The address of this payment's webhooks, if its first request named one. A repeated request does not change it.",
    }),
    webhooks: z.array(delivery).meta(says("Every webhook attempt.")),
  })
  .meta({ id: "Timeline", description: "Everything that happened to a payment, oldest first." });
export type TimelineObject = z.infer<typeof timelineObject>;

export const toTimelineObject = (timeline: {
  readonly payment: Payment;
  readonly history: readonly HistoryEntry[];
  readonly attempts: readonly WebhookAttempt[];
}): TimelineObject => ({
  sessionID: timeline.payment.asReceived.sessionId,
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
  responseWebhookUrl: timeline.payment.webhookUrl,
  webhooks: timeline.attempts
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ eventId, type, attempt, at, outcome, reason, status, ms }) => ({
      webhookID: eventId,
      type,
      attempt,
      at,
      outcome,
      reason,
      statusCode: status,
      latencyMs: ms,
    })),
});
