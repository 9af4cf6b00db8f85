import { setTimeout as sleep } from "node:timers/promises";

/** A process that cannot reach what it needs starts all the same: its requests say so. */
const WARM_UP_WITHIN_MS = 2_000;

/**
 * Opens what the first request would otherwise wait for: connections, links and tokens, which together may take longer than a request has.
 * Never rejects: what does not open here is opened by the first request, and fails there.
 */
export async function warmUp(
  openings: readonly (() => Promise<unknown>)[],
  withinMs = WARM_UP_WITHIN_MS,
): Promise<void> {
  const opened = Promise.allSettled(openings.map((open) => open()));
  await Promise.race([opened, sleep(withinMs, undefined, { ref: false })]);
}
