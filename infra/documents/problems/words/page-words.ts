/** The Markdown that explains a problem to people. Each member is one paragraph. */
export interface PageWords {
  /** Says what happened, and what did not. */
  readonly happened: string;
  /** Whether the same request may be sent again, when, and under which name. */
  readonly retry: string;
  /** Says what to check or change, most promising first. */
  readonly toDo: readonly string[];
}
