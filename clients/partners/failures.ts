import { ProblemError } from "../common/failures.ts";
import type { Problem } from "./types.ts";

export { NoResponse, UnexpectedResponse } from "../common/failures.ts";

/**
 * The platform's reason for rejecting a request. With a status below 500, it has done nothing. With any other status the outcome is
 * unknown: send the same request with the same identifiers again.
 */
export class PlatformProblem extends ProblemError<Problem> {
  /** The state of the payment that forbids the request. */
  readonly currentStatus: Problem["currentStatus"] | undefined;
  /** The session that conflicts with the request. */
  readonly sessionID: string | undefined;

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem, retryAfterSeconds);
    this.currentStatus = problem.currentStatus;
    this.sessionID = problem.sessionID;
  }
}
