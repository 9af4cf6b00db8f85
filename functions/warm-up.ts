import { setTimeout as sleep } from "node:timers/promises";

/**
 * The longest warm-up, in milliseconds. A process that cannot reach its dependencies starts anyway, and its requests report the failure.
 */
const WARM_UP_WITHIN_MS = 2_000;

/**
 * Opens connections, links and tokens before the first request, which may not have enough time to open them all. It never rejects. The
 * first request opens what is still missing, and fails if that fails.
 */
export async function warmUp(
  openings: readonly (() => Promise<unknown>)[],
  withinMs = WARM_UP_WITHIN_MS,
): Promise<void> {
  const opened = Promise.allSettled(openings.map((open) => open()));
  await Promise.race([opened, sleep(withinMs, undefined, { ref: false })]);
}
