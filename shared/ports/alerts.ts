import type { Alert, AlertIdentity } from "../domain/alert.ts";

export interface StoredAlert {
  readonly alert: Alert;
  readonly etag: string;
}

export interface Alerts {
  find(identity: AlertIdentity): Promise<StoredAlert | undefined>;
  /** Inserts or replaces the alert. Throws `Conflict` when it changed since it was read. */
  save(alert: Alert, read: StoredAlert | undefined): Promise<void>;
  /** The open and closed alerts of every subject with this name (`nameOfSubject`), of any partner and any day. */
  of(name: string): Promise<StoredAlert[]>;
  /** The open alerts, by when they were first raised. Closed alerts are not read. */
  listOpen(): Promise<Alert[]>;
  /** Every alert, open or closed, by when it was first raised. */
  all(): Promise<Alert[]>;
}
