/** The members and headers that only some problems have. The tests compare each response that they receive with its page's promise. */
export const parts = [
  "detail",
  "errors",
  "currentStatus",
  "sessionID",
  "refundID",
  "cancelled",
  "Retry-After",
  "Allow",
] as const;
type Part = (typeof parts)[number];

/** The Markdown that explains a problem to people. Each text is one paragraph. */
export interface PageWords {
  /** Says what happened, and what did not. */
  readonly happened: string;
  /** The parts that every response with this code has. */
  readonly always?: readonly Part[];
  /** The parts that some responses with this code have. */
  readonly sometimes?: readonly Part[];
  /** Whether the same request may be sent again, when, and under which name. */
  readonly retry: string;
  /** Says what to check or change, most promising first. */
  readonly toDo: readonly string[];
}
