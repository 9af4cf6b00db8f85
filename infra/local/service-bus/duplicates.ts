/** Remembers message ids for a time, so that a queue that declares it drops what it has seen. */
export class DuplicateWindow {
  readonly #durationMs: number;
  readonly #forgottenAt = new Map<string, number>();

  constructor(durationMs: number) {
    this.#durationMs = durationMs;
  }

  /** Whether the id came before within the window that ends `now`; from now on it has. */
  hasSeen(id: string, now: number): boolean {
    for (const [old, time] of this.#forgottenAt) {
      if (time > now) break; // the oldest come first
      this.#forgottenAt.delete(old);
    }
    if (this.#forgottenAt.has(id)) return true;
    this.#forgottenAt.set(id, now + this.#durationMs);
    return false;
  }
}
