import { TableClient } from "@azure/data-tables";
import { ServiceBusClient } from "@azure/service-bus";
import { workers } from "../../functions/workers.ts";
import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import { paymentRecord, type Payment } from "../../shared/domain/payment/record/payment.ts";
import { commandRecord } from "../../shared/stores/commands.ts";
import { recordedEntryRecord, type RecordedEntry } from "../../shared/stores/payments.ts";
import { COMMAND_PREFIX, historyPrefix, paymentPrefix, paymentPrefixIn } from "../../shared/stores/keys.ts";
import { fromRow } from "../../shared/stores/record.ts";
import type { Row } from "../../shared/ports/rows.ts";
import { tableNames } from "../../shared/stores/table-names.ts";
import { ofThisVersion } from "./next-version.ts";

type Command = ReturnType<typeof commandRecord.parse>;
export interface Session {
  readonly payment: Payment;
  readonly history: readonly RecordedEntry[];
  readonly commands: readonly Command[];
}

export const queues = workers.map(({ name }) => name);

/** Every session in the tables, read without the app. */
export async function readSessions(file: StackFile): Promise<Session[]> {
  const ofPayments = (await readAll(file, tableNames.terminals)).filter(({ rowKey }) => paymentPrefixIn(rowKey));
  const rowsOf = Map.groupBy(ofPayments, ({ partitionKey, rowKey }) => `${partitionKey} ${paymentPrefixIn(rowKey)}`);
  return [...rowsOf.values()].flatMap((rows): Session[] => {
    const session = rows.find((row) => isPaymentRow(row) && row.columns["status"] !== "tombstone");
    if (!session) return [];
    const payment = fromRow(session, paymentRecord);
    const of = (prefix: string) => rows.filter((row) => row.rowKey.startsWith(prefix));
    return [
      {
        payment,
        history: of(historyPrefix(payment)).map((row) => fromRow(row, recordedEntryRecord)),
        commands: of(paymentPrefix(payment) + COMMAND_PREFIX).map((row) => fromRow(row, commandRecord)),
      },
    ];
  });
}

/** The row of the payment itself. */
const isPaymentRow = ({ rowKey }: Row): boolean => rowKey === `${paymentPrefixIn(rowKey)}now`;

export async function readAll(file: StackFile, table: string): Promise<Row[]> {
  const client = TableClient.fromConnectionString(file.tables, table, { allowInsecureConnection: true });
  const rows: Row[] = [];
  for await (const entity of client.listEntities()) rows.push(ofThisVersion(toRow(entity)));
  return rows;
}

/** Converts an entity of the SDK to a row. */
function toRow({ partitionKey, rowKey, etag, timestamp: _, ...rest }: Record<string, unknown>): Row {
  const columns: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (name.startsWith("odata.")) continue;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") columns[name] = value;
  }
  return { partitionKey: String(partitionKey), rowKey: String(rowKey), etag: String(etag), columns };
}

/** Reads from the queues without taking messages. */
export async function peek<T>(file: StackFile, read: (client: ServiceBusClient) => Promise<T>): Promise<T> {
  const client = new ServiceBusClient(file.serviceBus);
  try {
    return await read(client);
  } finally {
    await client.close();
  }
}
