import { ProblemError } from "../common/failures.ts";
import type { Problem } from "./types.ts";

export { NoResponse, UnexpectedResponse } from "../common/failures.ts";

/**
 * The platform's reason for not doing what was requested. With a status below 500 it has done nothing; with another one the outcome is
 * unknown: send the same request again.
 */
export class PlatformProblem extends ProblemError<Problem> {}
