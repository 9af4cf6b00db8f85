/** Keeps message ids for a time, so that a queue with duplicate detection drops a message whose id it has seen. */
export class DuplicateWindow {
  readonly #durationMs: number;
  readonly #forgottenAt = new Map<string, number>();

  constructor(durationMs: number) {
    this.#durationMs = durationMs;
  }

  /** Whether the id has already arrived within the window that ends `now`. Also records it as seen. */
  hasSeen(id: string, now: number): boolean {
    for (const [old, time] of this.#forgottenAt) {
      if (time > now) break; // oldest first
      this.#forgottenAt.delete(old);
    }
    if (this.#forgottenAt.has(id)) return true;
    this.#forgottenAt.set(id, now + this.#durationMs);
    return false;
  }
}
