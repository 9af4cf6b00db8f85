/** Another writer was first (409 or 412). Read again and decide again. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/** A service that the platform depends on. */
export type Dependency = "tables" | "bus";

interface UnavailableOptions extends ErrorOptions {
  /** The tables, if left out. */
  readonly dependency?: Dependency;
  readonly isVersionAhead?: boolean;
}

/** A dependency did not respond, or cannot do so now (408, 429, 5xx, a time-out). The requested operation may still happen. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  readonly dependency: Dependency;
  /** The stored data is of a later version of the app. Waiting for that version is the same as waiting for a dependency. */
  readonly isVersionAhead: boolean;

  /** The message appears in the log and in alerts. It must not hold text of the dependency, of a caller or of a row. */
  constructor(message: string, options: UnavailableOptions = {}) {
    super(message, options);
    this.dependency = options.dependency ?? "tables";
    this.isVersionAhead = options.isVersionAhead ?? false;
  }
}

/** Whether an error arose in the code of this process. Any other error of a sender is trouble on the way, or of the one who receives. */
export const isOwnMistake = (error: unknown): boolean => error instanceof TypeError || error instanceof RangeError;
