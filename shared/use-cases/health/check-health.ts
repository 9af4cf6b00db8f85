import { msBetween } from "../../domain/time.ts";
import type { Clock } from "../../ports/clock.ts";
import { Unavailable } from "../../ports/failures.ts";
import type { HealthCheck } from "../../ports/health-check.ts";
import { loggedError } from "../../ports/logged-error.ts";
import type { Needs } from "../needs.ts";

export interface CheckHealthDeps extends Needs<"clock"> {
  readonly healthChecks: readonly HealthCheck[];
}

/** The result of one check. */
export interface CheckResult {
  readonly name: HealthCheck["name"];
  readonly isOk: boolean;
  readonly ms: number;
  /** The problem, for an operator; absent if there is no problem. */
  readonly wrong?: string;
}

/** A check that takes longer has failed, as a request to an endpoint would have. */
const CHECK_TIMEOUT_MS = 2_000;

/** Runs all checks at the same time, each with a time-out. A failed check does not throw. */
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
