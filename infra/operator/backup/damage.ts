import * as z from "zod";
import { actionRequestRecord } from "../../../shared/domain/action-request.ts";
import { alertRecord } from "../../../shared/domain/alert.ts";
import { bookingRecord } from "../../../shared/domain/booking.ts";
import { tokenRequestRecord } from "../../../shared/domain/landing-page.ts";
import { paymentRecord } from "../../../shared/domain/payment/record/payment.ts";
import { orderHolderRecord } from "../../../shared/domain/payment/requests/duplicate.ts";
import { inboxRecord } from "../../../shared/domain/terminal-inbox.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { commandRecord } from "../../../shared/stores/commands.ts";
import { feedEventRecord, feedHeadRecord } from "../../../shared/stores/feeds.ts";
import { FEED_HEAD_ROW, HOLD_SUFFIX, PARTNER_DAY_ROW, paymentPrefixIn } from "../../../shared/stores/keys.ts";
import { dayTerminalRecord, partnerDayRecord } from "../../../shared/stores/partner-days.ts";
import { partnerRecord } from "../../../shared/stores/partners.ts";
import { isTombstone, recordedEntryRecord, tombstoneRecord } from "../../../shared/stores/payments.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import { tableNames } from "../../../shared/stores/table-names.ts";
import { kindOfRow } from "../../../shared/stores/row-kind.ts";
import { dayRecord } from "../../../shared/stores/terminal-days.ts";
import { jsonIn, type PlainRow } from "./exported-row.ts";
import { isOfOneMoment, ofSession, paymentIn, withoutEtag, type ExportedPayment } from "./read-payment.ts";
import { troublesOf } from "./replay.ts";
import { tableRecord, type ExportedTable } from "./table-order.ts";
import { isOfSession, nameOfSession, type Unit } from "./units.ts";

/** A row that the import cannot use, and why, as the end of a sentence. It quotes nothing of the row's content. */
export const damagedRecord = z.object({
  table: tableRecord,
  partition: z.string(),
  row: z.string(),
  why: z.string(),
});
export type Damaged = z.infer<typeof damagedRecord>;

/** The session of a damaged row as the operator names it. Undefined for a row of no session. */
export const damagedSession = ({ table, partition: partitionKey, row: rowKey }: Damaged): string | undefined =>
  table === "terminals" && paymentPrefixIn(rowKey) ? nameOfSession({ partitionKey, rowKey }) : undefined;

/** The damaged row for the operator, without the row's content. */
export const damageText = ({ table, partition, row, why }: Damaged): string =>
  `${tableNames[table]}, partition ${partition}, row ${row}: ${why}.`;

/** A finished export that has damaged rows. The command ends with exit code 2. */
export class DamagedExport extends Error {
  override readonly name = "DamagedExport";
  constructor(folder: string, damaged: readonly Damaged[]) {
    const said = `The export in ${folder} is finished, but ${damaged.length} of its rows are damaged: see docs/backup.md.`;
    super([said, ...damaged.map(damageText)].join("\n"));
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** The records that the import reads, by the kinds of their rows. */
const read: Partial<Record<ExportedTable, Readonly<Record<string, z.ZodType>>>> = {
  terminals: {
    inbox: inboxRecord,
    day: dayRecord,
    "day~command": commandRecord,
    booking: bookingRecord,
    late: bookingRecord,
    [ofSession.own]: paymentRecord,
    [ofSession.history]: recordedEntryRecord,
    [ofSession.command]: commandRecord,
  },
  alerts: { alert: alertRecord },
  orders: { order: z.object({ holders: z.array(orderHolderRecord) }) },
  landingPages: { request: tokenRequestRecord, command: commandRecord },
  actionRequests: { request: actionRequestRecord, command: commandRecord },
  days: { [PARTNER_DAY_ROW]: partnerDayRecord, terminal: dayTerminalRecord },
  partners: { partner: partnerRecord.pick({ partnerId: true }) },
  feeds: {
    event: feedEventRecord.extend({ body: feedEventRecord.shape.body.refine(isJson) }),
    [FEED_HEAD_ROW]: feedHeadRecord,
  },
};

/**
 * The damaged rows of a unit. A row is damaged if its record is not JSON, or if the import reads the record and its schema refuses it. A
 * payment whose rows are readable, but contradict each other, is damaged too: its own row is named.
 */
export function damageIn(table: ExportedTable, { rows, ...unit }: Pick<Unit, "prefix" | "rows">): readonly Damaged[] {
  const unreadable = rows.flatMap((row) => damaged(table, row, whyUnreadable(table, row)));
  if (!isOfSession(unit) || unreadable.length > 0) return unreadable;
  const found = paymentIn(rows);
  const own = rows.find(isOwnRow);
  return found && own ? damaged(table, own, contradictionsIn(found, rows)) : [];
}

const damaged = (
  table: ExportedTable,
  { partitionKey: partition, rowKey: row }: PlainRow,
  why: string | undefined,
): readonly Damaged[] => (why === undefined ? [] : [{ table, partition, row, why }]);

function contradictionsIn(found: ExportedPayment, rows: readonly PlainRow[]): string | undefined {
  const troubles = troublesOf(found);
  if (troubles.length > 0) return troubles.join("; ");
  return isOfOneMoment(found, rows) ? undefined : "a command or a report of its history is missing";
}

const NOT_JSON = "its record is not JSON";
const MOST_MEMBERS = 5;

function whyUnreadable(table: ExportedTable, row: PlainRow): string | undefined {
  const schema = schemaOf(table, row);
  const json = jsonIn(row.columns);
  if (!schema) return json === undefined || isJson(json) ? undefined : NOT_JSON;
  try {
    fromRow(withoutEtag(row), schema);
    return undefined;
  } catch (error) {
    if (error instanceof Unavailable) return error.message; // of another version
    if (error instanceof SyntaxError) return NOT_JSON;
    if (!(error instanceof z.ZodError)) throw error;
    const members = error.issues.map(({ path }) => path.join(".") || "form");
    return `its record has a wrong ${[...new Set(members)].slice(0, MOST_MEMBERS).join(", ")}`;
  }
}

const isOwnRow = ({ rowKey }: PlainRow): boolean => kindOfRow(rowKey) === ofSession.own;

function schemaOf(table: ExportedTable, row: PlainRow): z.ZodType | undefined {
  if (table === "terminals" && isOwnRow(row) && isTombstone(row)) return tombstoneRecord;
  if (table === "terminals" && row.rowKey.endsWith(HOLD_SUFFIX)) return undefined;
  return read[table]?.[kindOfRow(row.rowKey)];
}
