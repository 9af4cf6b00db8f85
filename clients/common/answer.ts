import { isProblem, UnexpectedResponse, type ProblemBody } from "./failures.ts";
import { retryAfterSeconds } from "./retries.ts";

/** What a call by path resolves with. */
interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * Resolves with an answer's data. Rejects with an API's own error for its problems, and with `UnexpectedResponse` for what is none.
 *
 * @param now milliseconds since 1970
 */
export const dataOrThrow =
  <Problem extends ProblemBody>(
    PlatformProblem: new (problem: Problem, retryAfterSeconds?: number) => Error,
    now: () => number,
  ) =>
  async <Data>(calling: Promise<Answer<Data>>): Promise<Data> => {
    const { data, error, response } = await calling;
    if (data !== undefined) return data;
    if (isProblem(error)) throw new PlatformProblem(error as Problem, retryAfterSeconds(response.headers, now()));
    throw new UnexpectedResponse(response.status);
  };
