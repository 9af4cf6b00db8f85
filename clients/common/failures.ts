/** The members that the problems of all APIs share. */
export interface ProblemBody {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
  readonly requestID: string;
  readonly detail?: string | undefined;
  readonly errors?: readonly { readonly field: string; readonly message: string }[] | undefined;
}

/**
 * The platform's reason for rejecting a request. With a status below 500, it has done nothing. With any other status the outcome is
 * unknown: send the same request with the same identifiers again.
 */
export abstract class ProblemError<Problem extends ProblemBody> extends Error {
  override readonly name = "PlatformProblem";
  readonly code: Problem["code"];
  /** The HTTP status. */
  readonly status: number;
  /** Whether the same request may succeed later. `429`, `500` and `503` were already retried. */
  readonly retryable: boolean;
  /** Quote it in questions about the request. */
  readonly requestID: string;
  /** For people. The wording may change. */
  readonly detail: string | undefined;
  /** The fields that are missing or wrong. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** How long to wait before the same request, if the platform says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(sentenceOf(problem));
    this.code = problem.code;
    this.status = problem.status;
    this.retryable = problem.retryable;
    this.requestID = problem.requestID;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * No response arrived, because the network failed or the time ran out. **The outcome is unknown**: send the same request with the same
 * identifiers again, or read the payment or other subject. Its `cause` is the last failure.
 */
export class NoResponse extends Error {
  override readonly name = "NoResponse";
  readonly retryable = true;

  constructor(cause: unknown) {
    super(`No response from the platform: ${causeOf(cause)}.`, { cause });
  }
}

/** A response that no version of the platform sends, such as a proxy's page. If the request changes something, the outcome is unknown. */
export class UnexpectedResponse extends Error {
  override readonly name = "UnexpectedResponse";
  readonly status: number;
  readonly retryable: boolean;

  constructor(status: number) {
    super(
      `The response with status ${status} is not from the platform. Check the base address, and any proxies on the way to it.`,
    );
    this.status = status;
    this.retryable = status >= 500;
  }
}

/** Whether a parsed body is a problem of the platform. */
export function isProblem(body: unknown): body is ProblemBody {
  if (typeof body !== "object" || body === null) return false;
  const { code, status, title, retryable, requestID } = body as Partial<Record<keyof ProblemBody, unknown>>;
  const areTexts = [code, title, requestID].every((text) => typeof text === "string");
  return areTexts && typeof status === "number" && typeof retryable === "boolean";
}

function sentenceOf({ code, title, detail, errors = [] }: ProblemBody): string {
  const fields = errors.map(({ field, message }) => `${field} ${message}`).join("; ");
  const more = [detail, fields].filter((part) => part !== undefined && part !== "").join("; ");
  return `${code}: ${title}${more === "" ? "" : ` (${more})`}`;
}

/** A failure of fetch has its reason in the cause. Its message only says "fetch failed". */
function causeOf(failure: unknown): string {
  if (!(failure instanceof Error)) return "the connection failed";
  const { cause } = failure;
  const words = cause instanceof Error && cause.message !== "" ? cause.message : failure.message;
  return words.replace(/\.$/, "");
}
