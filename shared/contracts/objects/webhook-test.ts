import * as z from "zod";
import type { TestResult } from "../../domain/webhook-tests.ts";
import { values } from "../values.ts";
import { attemptReason, attemptStatus, webhookOutcomes } from "./timeline.ts";

const outcome = values("WebhookTestOutcome", "The result of the test.", {
  ...webhookOutcomes,
  gone: "Your server responded 410.",
  "time-out": "Your server did not respond in 2.5 seconds.",
  postponed: "Nothing was sent, because other webhooks to your server have no response yet. Try again.",
});

/** The result of a test event, as its partner reads it. */
export const webhookTestObject = z
  .object({
    outcome,
    reason: attemptReason,
    statusCode: attemptStatus,
    ms: z.int().meta({ description: "Milliseconds until your server responded, or the attempt failed." }),
  })
  .meta({ id: "WebhookTestResult", description: "The result of a test event." });
type WebhookTestObject = z.infer<typeof webhookTestObject>;

export const toWebhookTestObject = ({ outcome, reason, status, ms }: TestResult): WebhookTestObject => ({
  outcome,
  reason,
  statusCode: status,
  ms,
});
