/** A check of something that the app needs. */
export interface HealthCheck {
  readonly name: "tables" | "bus" | "settings";
  /** Resolves if it is as the app needs it. Rejects with an error whose message holds no secret and no text of a dependency. */
  check(): Promise<void>;
}
