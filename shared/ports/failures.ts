/** Another writer was first (409 or 412): read again and decide again. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/** A service that the platform depends on. */
export type Dependency = "tables" | "bus";

/** A dependency did not respond, or responded that it cannot now (408, 429, 5xx, a time-out). The requested operation may still happen. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  readonly dependency: Dependency;

  constructor(message: string, options: ErrorOptions & { readonly dependency?: Dependency } = {}) {
    super(message, options);
    this.dependency = options.dependency ?? "tables";
  }
}
