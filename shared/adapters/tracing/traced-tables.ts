import { SpanKind } from "@opentelemetry/api";
import { kindOfRow } from "../../stores/row-kind.ts";
import type { Operation, Rows } from "../../ports/rows.ts";
import { tableNames } from "../../stores/table-names.ts";
import { eachTable, type Tables } from "../../stores/stores.ts";
import { inChildSpan } from "./spans.ts";

/**
 * Traces tables. Each call is a span, except calls to the bells. Their one partition is read many times a second, for all polls at once.
 */
export const tracedTables = (tables: Tables): Tables =>
  eachTable((table) => (table === "bells" ? tables[table] : tracedRows(tableNames[table], tables[table])));

/** A span shows the kinds of its rows and never their keys, which hold hashes of keys, codes and addresses. */
function tracedRows(table: string, rows: Rows): Rows {
  const traced = <Result>(
    operation: "get" | "query" | "write" | "group" | "remove",
    kinds: () => readonly string[],
    call: () => Promise<Result>,
  ): Promise<Result> => {
    const attributes = () => ({
      "db.system.name": "azure.table_storage",
      "db.operation.name": operation,
      "db.collection.name": table,
      "payment.rows": [...kinds()],
    });
    return inChildSpan(
      () => ({ name: `${operation} ${table}`, kind: SpanKind.CLIENT, attributes: attributes() }),
      call,
    );
  };
  return {
    get: (partitionKey, rowKey) =>
      traced(
        "get",
        () => [kindOfRow(rowKey)],
        () => rows.get(partitionKey, rowKey),
      ),
    withPrefix: (partitionKey, prefix, atMost) =>
      traced(
        "query",
        () => [kindOfRow(prefix)],
        () => rows.withPrefix(partitionKey, prefix, atMost),
      ),
    after: (partitionKey, position, atMost) =>
      traced(
        "query",
        () => [kindOfRow(position.prefix)],
        () => rows.after(partitionKey, position, atMost),
      ),
    submit: (partitionKey, operations) =>
      traced(
        operations.length === 1 ? "write" : "group",
        () => operations.map(named),
        () => rows.submit(partitionKey, operations),
      ),
    remove: (partitionKey, rowKey, etag) =>
      traced(
        "remove",
        () => [kindOfRow(rowKey)],
        () => rows.remove(partitionKey, rowKey, etag),
      ),
  };
}

const named = ({ kind, rowKey }: Operation): string => `${kind} ${kindOfRow(rowKey)}`;
