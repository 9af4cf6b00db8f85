import { expect, it } from "vitest";
import { LONGEST_WAIT_SECONDS } from "../../functions/terminals/next-message.ts";
import host from "../../host.json" with { type: "json" };
import { SEND_WITHIN_MS } from "../../shared/adapters/mails/smtp-mails.ts";
import { SEND_TIMEOUT_MS } from "../../shared/adapters/queues/queue-sender.ts";
import { CALL_TIMEOUT_MS } from "../../shared/adapters/tables/table-sender.ts";
import { KEPT_MS, keepUntilTaken, PAUSE_MS } from "../../shared/use-cases/outbox/back-off.ts";
import { ATTEMPT_TIMEOUT_MS } from "../../shared/adapters/webhooks/sender.ts";
import { Unavailable } from "../../shared/ports/failures.ts";
import { collectedLog } from "../support/collected-log.ts";

const msOf = (span: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = span.split(":").map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000;
};
const functionTimeoutMs = msOf(host.functionTimeout);
const lockMs = msOf(host.extensions.serviceBus.maxAutoLockRenewalDuration);

/** A change that loses against four others. Each of its tries reads, announces to two queues and commits, all of it just in time. */
const SLOWEST_CHANGE_MS = 5 * (2 * CALL_TIMEOUT_MS + 2 * SEND_TIMEOUT_MS);
/** The log line, a message, and a row if the message is not accepted. */
const CALLING_AN_OPERATOR_MS = SEND_TIMEOUT_MS + 2 * CALL_TIMEOUT_MS;

it("no worker outlasts its message's lock or functionTimeout, however slow its dependencies are", () => {
  const itsOwnPort = Math.max(SEND_WITHIN_MS, ATTEMPT_TIMEOUT_MS);
  const keeping = KEPT_MS + PAUSE_MS + SEND_TIMEOUT_MS; // the last try may begin just before the end
  const longest = SLOWEST_CHANGE_MS + itsOwnPort + keeping + CALLING_AN_OPERATOR_MS;
  expect(longest).toBeLessThan(lockMs);
  expect(lockMs).toBeLessThan(functionTimeoutMs);
});

it("no poll outlasts functionTimeout", () => {
  expect(LONGEST_WAIT_SECONDS * 1_000 + SLOWEST_CHANGE_MS).toBeLessThan(functionTimeoutMs);
});

it("a message is kept for four minutes even if each try takes its whole time-out", async () => {
  let now = Date.parse("2026-11-21T10:00:00.000Z");
  const clock = {
    now: () => new Date(now).toISOString(),
    sleep: async (ms: number) => void (now += ms),
  };
  const began = now;
  const full = new Unavailable("full", { dependency: "bus" });
  const keeping = keepUntilTaken({ clock, log: collectedLog() }, async () => {
    now += SEND_TIMEOUT_MS;
    throw full;
  });
  await expect(keeping).rejects.toBe(full);
  expect(now - began).toBeGreaterThanOrEqual(KEPT_MS);
  expect(now - began).toBeLessThanOrEqual(KEPT_MS + PAUSE_MS + SEND_TIMEOUT_MS);
});
