import * as z from "zod";
import type { RecordOf } from "./record.ts";
import type { Refusal } from "./refusal.ts";
import { ok, refuse, type Result } from "./result.ts";
import type { WebhookAttempt, WebhookOutcomeName } from "./webhook-attempt.ts";
import { after, instant, later, msBetween, type Instant } from "./time.ts";

/** The test events of a partner in one hour. */
export const webhookTestsRecord = z.object({
  /** The beginning of the hour, in UTC. */
  hour: instant,
  count: z.int(),
});
export interface WebhookTests extends RecordOf<typeof webhookTestsRecord> {}

/** The result of a test event. `postponed`: it was not sent, because too many attempts that may hang are under way. */
export interface TestResult extends Pick<WebhookAttempt, "reason" | "status" | "ms"> {
  readonly outcome: WebhookOutcomeName | "postponed";
}

/** The most test events of a partner in an hour. */
export const MOST_TESTS_AN_HOUR = 10;

/** Counts one more test event. Refuses it if its hour has had all. A clock that is behind counts in the stored hour. */
export function countTest(
  tests: WebhookTests | undefined,
  now: Instant,
): Result<WebhookTests, Refusal<"rate_limited">> {
  const hour = later(`${now.slice(0, 13)}:00:00.000Z`, tests?.hour ?? "");
  const count = tests?.hour === hour ? tests.count : 0;
  if (count < MOST_TESTS_AN_HOUR) return ok({ hour, count: count + 1 });
  return refuse({ code: "rate_limited", retryAfterSeconds: Math.ceil(msBetween(now, after(hour, 3_600)) / 1_000) });
}
