/** The words about a problem for people, in Markdown; each member is one paragraph. */
export interface PageWords {
  /** What happened, and what did not. */
  readonly happened: string;
  /** Whether the same request may be sent again, when, and under which name. */
  readonly retry: string;
  /** What to check or change, in the order in which it is worth trying. */
  readonly toDo: readonly string[];
}
