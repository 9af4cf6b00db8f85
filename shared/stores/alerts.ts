import { type Alert, type AlertIdentity, alertRecord } from "../domain/alert.ts";
import { ALERT_PREFIX, alertsPrefix, alertRow, ALERTS_PARTITION, OPEN_ALERT_PREFIX, openAlertRow } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Operation, Row, Rows } from "../ports/rows.ts";

export interface StoredAlert {
  readonly alert: Alert;
  readonly etag: string;
}

const identityRecord = alertRecord.pick({ subject: true, kind: true, about: true });

/**
 * Alerts in the table `Alerts`. An open alert has a second row, its mark, which is written and removed in one group with it. Open alerts
 * are found by their marks.
 */
export function alertsTable(rows: Rows) {
  async function find(identity: AlertIdentity): Promise<StoredAlert | undefined> {
    const row = await rows.get(ALERTS_PARTITION, alertRow(identity));
    return row && toStored(row);
  }
  return {
    find,
    /** Inserts or replaces the alert. Throws `Conflict` if it changed since it was read. */
    async save(alert: Alert, read: StoredAlert | undefined): Promise<void> {
      const { status, count } = alert;
      const alertItself = { rowKey: alertRow(alert), columns: toColumns(alert, { status, count }) };
      await rows.submit(ALERTS_PARTITION, [
        read ? { kind: "replace", ...alertItself, etag: read.etag } : { kind: "insert", ...alertItself },
        ...markOf(alert, read),
      ]);
    },
    /** The open and closed alerts of every subject with this name (`nameOfSubject`), of any partner and any day. */
    async of(name: string): Promise<StoredAlert[]> {
      return (await rows.withPrefix(ALERTS_PARTITION, alertsPrefix(name))).map(toStored);
    },
    /** The open alerts, by when they were first raised. Closed alerts are not read. */
    async listOpen(): Promise<Alert[]> {
      const marks = await rows.withPrefix(ALERTS_PARTITION, OPEN_ALERT_PREFIX);
      // Async, so that an unreadable row rejects as a failed call does. If it threw, the failures of the other calls would have no reader.
      const found = await Promise.all(marks.map(async (row) => find(fromRow(row, identityRecord))));
      return inOrder(found.flatMap((stored) => (stored?.alert.status === "open" ? [stored.alert] : [])));
    },
    /** Every alert, open or closed, by when it was first raised. */
    async all(): Promise<Alert[]> {
      const found = await rows.withPrefix(ALERTS_PARTITION, ALERT_PREFIX);
      return inOrder(found.map((row) => toStored(row).alert));
    },
  };
}

export type Alerts = ReturnType<typeof alertsTable>;

/** The operations on the mark, which exists exactly while the alert is open. */
function markOf(alert: Alert, read: StoredAlert | undefined): Operation[] {
  const rowKey = openAlertRow(alert);
  const [wasOpen, isOpen] = [read?.alert.status === "open", alert.status === "open"];
  if (wasOpen === isOpen) return [];
  return [
    isOpen ? { kind: "insert", rowKey, columns: toColumns(identityRecord.parse(alert)) } : { kind: "discard", rowKey },
  ];
}

const toStored = (row: Row): StoredAlert => ({ alert: fromRow(row, alertRecord), etag: row.etag });

const inOrder = (alerts: readonly Alert[]): Alert[] => alerts.toSorted((a, b) => (a.firstAt < b.firstAt ? -1 : 1));
