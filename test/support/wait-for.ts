import { setTimeout as sleep } from "node:timers/promises";

/** Asks until there is an answer; fails, saying what it waited for, after a generous while. */
export async function waitFor<T>(what: string, ask: () => Promise<T | undefined>, withinMs = 60_000): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > until) throw new Error(`waited ${withinMs} ms in vain for: ${what}`);
    await sleep(25);
  }
}
