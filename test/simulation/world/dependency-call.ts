import { Unavailable } from "../../../shared/ports/failures.ts";
import type { Invocation } from "./invocation.ts";
import { SECOND } from "./time.ts";
import type { World } from "./world.ts";

/** A refusal that no dependency should send, neither a conflict nor an outage. The call was not carried out. */
export class Refused extends Error {
  override readonly name = "Refused";
}

export interface Dependency {
  readonly name: string;
  isDown(): boolean;
}

/** The time that the SDKs wait for one call, as `shared/adapters/tables` and `shared/adapters/queues` set it. */
const PATIENCE = 2_500;

/** The fates of a call, with their probabilities. All other calls pass. */
const fates = [
  ["caller dies, and its request may arrive late", 0.007],
  ["request is lost", 0.008],
  ["response is lost", 0.008],
  ["response is lost, and the SDK repeats the call", 0.008],
  ["caller dies before the response", 0.008],
  ["slow", 0.04],
  ["request arrives after the caller gave up", 0.014],
  ["caller is frozen, then goes on", 0.006],
  ["refused as invalid input", 0.003],
] as const;
type Fate = (typeof fates)[number][0] | "passes";

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/**
 * One call of a port, over a network that may lose, delay and repeat it. Its process may die meanwhile. `apply` happens at the dependency
 * as one step. A dead caller gets no result.
 */
export function callDependency<T>(
  world: World,
  caller: Invocation,
  dependency: Dependency,
  apply: () => Promise<T>,
): Promise<T> {
  const { agenda, random } = world;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  if (caller.isDead()) return promise;
  const fate = drawFate(world);
  if (fate !== "passes" && fate !== "slow") world.trace?.(caller.name, `${dependency.name}: ${fate}`);

  const land = async (): Promise<Outcome<T>> => {
    if (dependency.isDown()) {
      world.faultPlan.meet(`outage of ${dependency.name === "bus" ? "the bus" : "the tables"}`);
      return { error: awayOf(dependency, "is down") };
    }
    try {
      return { value: await apply() };
    } catch (error) {
      return { error };
    }
  };
  const answer = (outcome: Outcome<T>) => {
    if (caller.isDead()) return;
    if ("error" in outcome) reject(outcome.error);
    else resolve(outcome.value);
  };
  const giveUp = () => answer({ error: awayOf(dependency, "did not answer") });
  const landAfter = (ms: number, then: (outcome: Outcome<T>) => void = () => {}) =>
    agenda.after(ms, () => void land().then(then));
  const answerAfter = (ms: number) => (outcome: Outcome<T>) => agenda.after(ms, () => answer(outcome));

  switch (fate) {
    case "passes":
      landAfter(random.between(1, 20), answer);
      break;
    case "slow":
      landAfter(random.between(20, 1_200), answerAfter(random.between(20, 1_200)));
      break;
    case "request is lost":
      agenda.after(PATIENCE, giveUp);
      break;
    case "response is lost":
      landAfter(random.between(1, 500));
      agenda.after(PATIENCE, giveUp);
      break;
    case "request arrives after the caller gave up":
      agenda.after(PATIENCE, giveUp);
      landAfter(random.between(PATIENCE, random.pick(10, 40, 150) * SECOND));
      break;
    case "response is lost, and the SDK repeats the call":
      landAfter(random.between(1, 20), () => landAfter(random.between(100, 800), answer));
      break;
    case "refused as invalid input":
      agenda.after(random.between(1, 20), () =>
        answer({ error: new Refused(`${dependency.name} says: invalid input`) }),
      );
      break;
    case "caller dies before the response":
      landAfter(random.between(1, 20), () => caller.die());
      break;
    case "caller is frozen, then goes on":
      landAfter(random.between(1, 20), answerAfter(random.between(SECOND, random.pick(10, 40, 100) * SECOND)));
      break;
    case "caller dies, and its request may arrive late":
      if (random.chance(0.6)) landAfter(random.between(0, 90 * SECOND));
      caller.die();
      break;
  }
  return promise;
}

const awayOf = ({ name }: Dependency, what: string): Unavailable =>
  new Unavailable(`${name} ${what}`, { dependency: name === "bus" ? "bus" : "tables" });

function drawFate({ faultPlan, random }: World): Fate {
  if (!faultPlan.strikes(totalProbability)) return "passes";
  let left = random.next() * totalProbability;
  for (const [fate, probability] of fates) {
    left -= probability;
    if (left >= 0) continue;
    faultPlan.meet(fate);
    return fate;
  }
  return "passes";
}
const totalProbability = fates.reduce((sum, [, probability]) => sum + probability, 0);
