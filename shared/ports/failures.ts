/** Somebody else wrote first: 409 or 412. Read again and decide again. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/** What the platform stands on. */
export type Dependency = "tables" | "bus";

/** A dependency did not answer, or answered that it cannot now: 408, 429, 5xx, a time-out. What was asked may still happen. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  readonly dependency: Dependency;

  constructor(message: string, options: ErrorOptions & { readonly dependency?: Dependency } = {}) {
    super(message, options);
    this.dependency = options.dependency ?? "tables";
  }
}
