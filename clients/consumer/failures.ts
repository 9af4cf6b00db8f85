import { ProblemError } from "../common/failures.ts";
import type { Problem } from "./types.ts";

export { NoResponse, UnexpectedResponse } from "../common/failures.ts";

/**
 * The platform's reason for rejecting a request. With a status below 500, it has done nothing. With any other status the outcome is
 * unknown: send the same request again.
 */
export class PlatformProblem extends ProblemError<Problem> {}
