import { msBetween } from "../../domain/time.ts";
import type { Clock } from "../../ports/clock.ts";
import { Unavailable } from "../../ports/failures.ts";
import type { HealthCheck } from "../../ports/health-check.ts";
import { loggedError } from "../../ports/logged-error.ts";
import type { Needs } from "../needs.ts";

export interface CheckHealthDeps extends Needs<"clock"> {
  readonly healthChecks: readonly HealthCheck[];
}

/** What one check found. */
export interface CheckResult {
  readonly name: HealthCheck["name"];
  readonly isOk: boolean;
  readonly ms: number;
  /** What is wrong, for an operator; absent where nothing is. */
  readonly wrong?: string;
}

/** A check that takes longer has failed: a request to an endpoint would have failed as well. */
const CHECK_TIMEOUT_MS = 2_000;

/** Makes all checks at the same time, each within its time-out. Never throws for a check that fails. */
export const checkHealth = ({ clock, healthChecks }: CheckHealthDeps): Promise<CheckResult[]> =>
  Promise.all(
    healthChecks.map(async ({ name, check }) => {
      const began = clock.now();
      const wrong = await Promise.race([check().then(() => undefined, wrongBy), timeOut(clock)]);
      const result = { name, isOk: wrong === undefined, ms: msBetween(began, clock.now()) };
      return wrong === undefined ? result : { ...result, wrong };
    }),
  );

const wrongBy = (error: unknown): string => loggedError(error).error;

async function timeOut(clock: Clock): Promise<string> {
  await clock.sleep(CHECK_TIMEOUT_MS);
  return wrongBy(new Unavailable(`no response within ${CHECK_TIMEOUT_MS} ms`));
}
