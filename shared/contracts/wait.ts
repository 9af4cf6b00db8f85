export const LONGEST_WAIT_SECONDS = 20;

/** How long a terminal will wait for a message: 0 to 20 seconds. What is missing or no number is no waiting. */
export function waitSeconds(wait: string | null): number {
  const seconds = Number(wait ?? 0);
  return Number.isFinite(seconds) ? Math.min(LONGEST_WAIT_SECONDS, Math.max(0, seconds)) : 0;
}
