import type { Refusal } from "../../../shared/domain/refusal.ts";
import type { Terminal } from "../../../shared/domain/terminal.ts";
import { DAY, LAST_PAYMENT, MINUTE, SECOND, USUAL_LENGTH } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Learned } from "./client.ts";
import type { Keys } from "./keys.ts";
import { anotherTry, type Plan } from "./plan.ts";

/** A sale, which is requested until it is accepted. */
export interface Sale {
  /** The plan that the next request names. A naive caller makes a new session in a retry, perhaps at another terminal. */
  next(): Plan;
  /** The session that holds the key as far as is known, or a new one, whatever became of the earlier ones. */
  again(): Plan;
  /** Takes the answer to a request. If it names the session that holds the key, that one is requested next. */
  learned(answer: Learned<unknown>): void;
  /** Whether a request was accepted, or a repetition is pointless. */
  isOver(): boolean;
  /** The times from the first request at which a naive caller requests it once more, in milliseconds. */
  readonly repeatedAfter: readonly number[];
  /** The same from a restore of the platform. */
  repeatedAfterRestore(): readonly number[];
}

/** After these refusals a caller may try again. */
const passing: ReadonlySet<Refusal["code"]> = new Set([
  "idempotency_in_progress",
  "terminal_busy",
  "terminal_offline",
  "terminal_unavailable",
]);

/** The most sessions of a sale. */
const MOST_SESSIONS = 4;
/** The last day of a sale on which a caller repeats it. */
const LAST_DAY = 16;

export interface Among {
  /** New sessions are added to them. */
  readonly plans: Plan[];
  readonly terminals: readonly Terminal[];
}

export function createSales(
  { agenda, end, faultPlan }: World,
  { fate, areNaive }: Keys,
  { plans, terminals }: Among,
): (plan: Plan) => Sale {
  const isInTime = (ms: number) => agenda.now() + ms < Math.min(LAST_PAYMENT, end - USUAL_LENGTH);
  /** An order is not repeated later, because a merchant that is not strict may repeat it after a week. */
  const drawRepeats = ({ request }: Plan): readonly number[] => {
    const soon = fate.chance(0.4) ? [fate.between(5 * SECOND, fate.pick(1, 5, 40) * MINUTE)] : [];
    const days = end > USUAL_LENGTH && !request.references ? [1, 2, 3] : [];
    return [...soon, ...days.map(() => fate.between(DAY, LAST_DAY * DAY)).filter(isInTime)];
  };
  return (plan) => {
    const tries = [plan];
    const isNaive = areNaive && plan.idempotencyKey !== undefined;
    let current = plan;
    let hasFailed = false;
    const another = (): Plan => {
      const own = terminals.filter(({ partnerId }) => partnerId === plan.partnerId);
      const made = anotherTry(plan, `${plan.sessionId}-${tries.length + 1}`, fate.pick(plan.terminal, ...own));
      tries.push(made);
      plans.push(made);
      faultPlan.meet("request repeated under one key with a new session");
      return made;
    };
    /** The session that a refusal named as the holder of the key. */
    const holder = (): Plan | undefined =>
      tries.find(({ sessionId }) => tries.some(({ known }) => known.holders.has(sessionId)));
    return {
      next() {
        if (!isNaive || !hasFailed) return current;
        if (tries.length < MOST_SESSIONS && fate.chance(0.5)) return (current = another());
        faultPlan.meet("request repeated under one key");
        return current;
      },
      again() {
        if (!fate.chance(0.4)) return another();
        return [holder(), plan].find((one) => one?.known.ruledOut === false) ?? another();
      },
      learned(answer) {
        hasFailed = !answer || (!answer.ok && passing.has(answer.error.code));
        if (answer && !answer.ok && answer.error.code === "idempotency_mismatch") current = holder() ?? current;
      },
      isOver: () => tries.some(({ known }) => known.acknowledged) || current.known.conflicts || current.known.ruledOut,
      repeatedAfter: isNaive ? drawRepeats(plan) : [],
      repeatedAfterRestore: () =>
        isNaive ? [10, 60, 240].map((seconds) => fate.between(SECOND, seconds * SECOND)) : [],
    };
  };
}
