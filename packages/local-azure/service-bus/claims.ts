import type { DueTime, DueTimes } from "./due-times.ts";
import { entityOf } from "./entities.ts";
import type { Queue } from "./queue.ts";
import { anyToken, type Judgement, type Token } from "./tokens.ts";

/** Checks a token. `now` is in milliseconds since 1970. */
export type TokenJudge = (token: Token, now: number) => Judgement;

/** The tokens of one connection: by entity, the end of each token's access. A queue and its dead-letter queue are one entity. */
export class Claims {
  readonly #judge: TokenJudge;
  readonly #time: DueTimes;
  readonly #ended: (entity: string) => void;
  readonly #ends = new Map<string, DueTime | undefined>();

  /** `ended` receives each entity whose token has expired. */
  constructor(judge: TokenJudge, time: DueTimes, ended: (entity: string) => void) {
    this.#judge = judge;
    this.#time = time;
    this.#ended = ended;
  }

  /** Stores a token for the entity, instead of the earlier one. If it is rejected, returns the reason, and the earlier token stays. */
  put(queue: Queue, token: Token): string | undefined {
    const judgement = this.#judge(token, this.#time.now());
    if ("refusal" in judgement) return judgement.refusal;
    const entity = entityOf(queue.name);
    this.#ends.get(entity)?.cancel();
    const { until } = judgement;
    this.#ends.set(entity, Number.isFinite(until) ? this.#time.at(until, () => this.#end(entity)) : undefined);
    return undefined;
  }

  /** Whether a link to the queue is allowed now. If every token is accepted, no token is needed. */
  allow(queue: Queue): boolean {
    return this.#judge === anyToken || this.#ends.has(entityOf(queue.name));
  }

  /** Forgets every token. Call it when the connection is gone. */
  clear(): void {
    for (const end of this.#ends.values()) end?.cancel();
    this.#ends.clear();
  }

  #end(entity: string): void {
    this.#ends.delete(entity);
    this.#ended(entity);
  }
}
