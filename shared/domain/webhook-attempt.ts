import * as z from "zod";
import type { RecordOf } from "./record.ts";
import { instant } from "./time.ts";

/** How an attempt to deliver a webhook ended: the server took it, the server wants no more, or why it failed. */
const webhookOutcomes = [
  "delivered",
  "gone",
  "status",
  "time-out",
  "connection",
  "malformed",
  "tls",
  "refused-address",
  "challenge",
  "host-not-registered",
] as const;
export type WebhookOutcomeName = (typeof webhookOutcomes)[number];

/** One attempt to deliver a webhook, as the timeline shows it. */
export const attemptRecord = z.object({
  eventId: z.string(),
  type: z.string(),
  /** From 1. */
  attempt: z.int(),
  at: instant,
  outcome: z.enum(webhookOutcomes),
  /** The error's code in OpenSSL or Node, if the outcome is `tls` or `malformed`. */
  reason: z.string().optional(),
  status: z.int().optional(),
  ms: z.number(),
});
export interface WebhookAttempt extends RecordOf<typeof attemptRecord> {}

/** The server has the event, or has responded 410 and gets no more. No attempt follows this one. */
export const isTaken = ({ outcome }: WebhookAttempt): boolean => outcome === "delivered" || outcome === "gone";
