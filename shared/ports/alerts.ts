import type { Alert, AlertIdentity } from "../domain/alert.ts";

export interface StoredAlert {
  readonly alert: Alert;
  readonly etag: string;
}

export interface Alerts {
  find(identity: AlertIdentity): Promise<StoredAlert | undefined>;
  /** Replaces the alert as it was read. Throws `Conflict`. */
  save(alert: Alert, read: StoredAlert | undefined): Promise<void>;
  /** Open and closed ones of all that has this name (`nameOfSubject`), of whichever partner and day. */
  of(name: string): Promise<StoredAlert[]>;
  /** The open ones, read without those that are closed; the first raised first. */
  listOpen(): Promise<Alert[]>;
  /** Every alert that there ever was, the first raised first. */
  all(): Promise<Alert[]>;
}
