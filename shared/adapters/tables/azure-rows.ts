import { randomUUID } from "node:crypto";
import type { TableClient } from "@azure/data-tables";
import { Unavailable } from "../../ports/failures.ts";
import type { Operation, Row, Rows, WholeTable } from "../../ports/rows.ts";
import { toFoundRow, toGroupWritten, toPage, toTablePage, toWritten } from "./table-responses.ts";
import {
  readPage,
  readRow,
  readTable,
  writeGroup,
  writeRow,
  type Continuation,
  type RowRange,
} from "./table-requests.ts";
import { tableSender } from "./table-sender.ts";

/** The most operations that the service accepts in one group. */
const MAX_OPERATIONS = 100;

/**
 * `Rows` on a table of Azure Table Storage. This module writes requests and reads responses itself, and sends them through the SDK client's
 * pipeline. The SDK's own calls cost twice as much.
 */
export function azureRows(client: TableClient): Rows & WholeTable {
  const table = client.tableName;
  const { address, send } = tableSender(client);
  const write = async (partitionKey: string, operation: Operation) =>
    toWritten(await send(writeRow(table, partitionKey, operation)), operation);
  async function query(range: RowRange, atMost: number): Promise<Row[]> {
    const rows: Row[] = [];
    let from: Continuation | undefined;
    // Each page is a separate call with its own time-out. Any page may be short or empty, not only the last.
    do {
      const page = toPage(await send(readPage(table, { ...range, atMost }, from)), range);
      if (isSame(page.next, from)) throw new Unavailable("Table Storage: a page names itself as the next page");
      rows.push(...page.rows);
      from = page.next;
    } while (from !== undefined && rows.length < atMost);
    return rows.slice(0, atMost);
  }
  return {
    async get(partitionKey, rowKey) {
      return toFoundRow(await send(readRow(table, partitionKey, rowKey)), partitionKey, rowKey);
    },
    withPrefix: async (partitionKey, prefix, atMost = Infinity) => query({ partitionKey, prefix }, atMost),
    after: async (partitionKey, { prefix, rowKey, before }, atMost) =>
      query({ partitionKey, prefix, after: rowKey, before }, atMost),
    async *rowsAfter(partitionKey) {
      let from: Continuation | undefined;
      do {
        const page = toTablePage(await send(readTable(table, partitionKey, from)), partitionKey);
        if (isSame(page.next, from)) throw new Unavailable("Table Storage: a page names itself as the next page");
        yield* page.rows;
        from = page.next;
      } while (from !== undefined);
    },
    async submit(partitionKey, operations) {
      const [only, ...more] = operations;
      if (!only || operations.length > MAX_OPERATIONS)
        throw new RangeError(`a group has ${operations.length} operations, and must have 1 to ${MAX_OPERATIONS}`);
      if (more.length === 0) return [await write(partitionKey, only)];
      const group = writeGroup({ address, table, id: randomUUID() }, partitionKey, operations);
      return toGroupWritten(await send(group), operations);
    },
    async remove(partitionKey, rowKey, etag) {
      await write(partitionKey, { kind: "remove", rowKey, etag });
    },
  };
}

const isSame = (one: Continuation | undefined, other: Continuation | undefined): boolean =>
  one !== undefined && one.partitionKey === other?.partitionKey && one.rowKey === other.rowKey;
