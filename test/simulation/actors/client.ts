import type { Refusal } from "../../../shared/domain/refusal.ts";
import type { Result } from "../../../shared/domain/result.ts";
import type { Http } from "../platform/http.ts";
import type { Deps } from "../platform/platform.ts";
import type { World } from "../world/world.ts";

/** The result that a caller learned from a response; undefined if it learned nothing. */
export type Learned<T> = Result<T, Refusal> | undefined;

/** How often a call is repeated until its response is known and `enough`. `pause` returns milliseconds. */
interface Insistence {
  readonly times: number;
  readonly pause: () => number;
  readonly enough?: (answer: Result<unknown, Refusal>) => boolean;
}

/** A persistent caller of the platform, which sometimes sends a call twice at once. */
export interface Client {
  /** Makes one call. A 503 counts as no response. */
  call<T>(name: string, handle: (deps: Deps) => Promise<Result<T, Refusal>>): Promise<Learned<T>>;
  /** Repeats a call, sometimes as two calls at once. */
  insist<T>(make: () => Promise<Learned<T>>, insistence: Insistence): Promise<void>;
}

/** Whether the request had an outcome. Otherwise another request with its key is under way. */
export const hasOutcome = (answer: Result<unknown, Refusal>): boolean =>
  answer.ok || answer.error.code !== "idempotency_in_progress";

export function createClient(world: World, http: Http): Client {
  const { agenda, random } = world;
  return {
    async call(name, handle) {
      const answer = await http({ name }, handle);
      const response = answer.kind === "answered" ? answer.value : undefined;
      const learned =
        response && (response.ok || response.error.code !== "dependency_unavailable") ? response : undefined;
      world.trace?.(name, `answered ${learned ? (learned.ok ? "2xx" : learned.error.code) : answer.kind}`);
      return learned;
    },
    async insist(make, { times, pause, enough = hasOutcome }) {
      for (let i = 0; i < times; i++) {
        const [answer] = await Promise.all(random.chance(0.15) ? [make(), make()] : [make()]);
        if (answer && enough(answer)) return;
        await agenda.sleep(pause());
      }
    },
  };
}
