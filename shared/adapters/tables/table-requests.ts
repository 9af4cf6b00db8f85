import { storedJson } from "../../domain/texts.ts";
import type { Operation } from "../../ports/rows.ts";

/** A request to the tables of an account, before it is signed. Header names are in lower case. */
export interface TableRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path after the account's address, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The start of the next page: both keys as the service returned them. */
export interface Continuation {
  readonly partitionKey: string;
  readonly rowKey: string;
}

const VERSIONS = { "x-ms-version": "2019-02-02", dataserviceversion: "3.0" };
/** With less metadata, the rows of a query would lack their ETags. */
const reading = { ...VERSIONS, accept: "application/json;odata=minimalmetadata" };
const inserting = { ...reading, "content-type": "application/json", prefer: "return-no-content" };
const replacing = { ...reading, "content-type": "application/json" };

/** A text within a URL's path or filter. Its quotes are doubled for OData, and the rest is URL-encoded. */
const literal = (text: string): string => encodeURIComponent(text.replaceAll("'", "''"));

const rowPath = (table: string, partitionKey: string, rowKey: string): string =>
  `/${table}(PartitionKey='${literal(partitionKey)}',RowKey='${literal(rowKey)}')`;

export const readRow = (table: string, partitionKey: string, rowKey: string): TableRequest => ({
  method: "GET",
  path: rowPath(table, partitionKey, rowKey),
  headers: reading,
});

/**
 * The rows of a partition whose key begins with the prefix. If `after` or `before` is given, the key is also greater than `after` or less
 * than `before`.
 */
export interface RowRange {
  readonly partitionKey: string;
  readonly prefix: string;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** Requests a page of a range of rows, with at most `atMost` rows if that is finite. */
export function readPage(
  table: string,
  { partitionKey, prefix, after, before, atMost }: RowRange & { readonly atMost: number },
  from?: Continuation,
): TableRequest {
  const end = before !== undefined && before < `${prefix}~~` ? before : `${prefix}~~`;
  const [partition, last] = [partitionKey, end].map((text) => `'${literal(text)}'`);
  // A single lower bound. The service seeks to it, and reads no row before it.
  const [bound, first] = after === undefined || after < prefix ? ["ge", prefix] : ["gt", after];
  const filter = `PartitionKey%20eq%20${partition}%20and%20RowKey%20${bound}%20'${literal(first)}'%20and%20RowKey%20lt%20${last}`;
  const top = atMost < Infinity ? `&$top=${atMost}` : "";
  const next = from
    ? `&NextPartitionKey=${encodeURIComponent(from.partitionKey)}&NextRowKey=${encodeURIComponent(from.rowKey)}`
    : "";
  return { method: "GET", path: `/${table}()?$filter=${filter}${top}${next}`, headers: reading };
}

/** Requests a page of the rows of all partitions after the named one, or of all partitions. */
export function readTable(table: string, after: string | undefined, from?: Continuation): TableRequest {
  const filter = after === undefined ? undefined : `$filter=PartitionKey%20gt%20'${literal(after)}'`;
  const next =
    from && `NextPartitionKey=${encodeURIComponent(from.partitionKey)}&NextRowKey=${encodeURIComponent(from.rowKey)}`;
  const query = [filter, next].filter((part) => part !== undefined).join("&");
  return { method: "GET", path: `/${table}()${query === "" ? "" : `?${query}`}`, headers: reading };
}

export function writeRow(table: string, partitionKey: string, operation: Operation): TableRequest {
  const { rowKey } = operation;
  const path = rowPath(table, partitionKey, rowKey);
  switch (operation.kind) {
    case "insert":
      return { method: "POST", path: `/${table}`, headers: inserting, body: entity(partitionKey, operation) };
    case "replace":
      return { method: "PUT", path, headers: on(operation.etag, replacing), body: entity(partitionKey, operation) };
    case "overwrite":
      return { method: "PUT", path, headers: replacing, body: entity(partitionKey, operation) };
    case "remove":
      return { method: "DELETE", path, headers: on(operation.etag, reading) };
    case "discard":
      return { method: "DELETE", path, headers: on("*", reading) };
  }
}

const entity = (PartitionKey: string, { rowKey, columns }: Extract<Operation, { readonly columns: unknown }>): string =>
  storedJson({ PartitionKey, RowKey: rowKey, ...columns });

/** Adds `if-match`. Throws if the ETag is empty or holds a line end, because either would change the meaning of the request. */
function on(etag: string, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (!isETag(etag)) throw new TypeError("a replacement or a removal has no valid ETag");
  return { ...headers, "if-match": etag };
}

export const isETag = (text: unknown): text is string => typeof text === "string" && /^[!-~]+$/.test(text);

/** Requests all or none of the operations in one body. `address` is the account's address. `id` must be unique to this request. */
export function writeGroup(
  { address, table, id }: { readonly address: string; readonly table: string; readonly id: string },
  partitionKey: string,
  operations: readonly Operation[],
): TableRequest {
  const [batch, changes] = [`batch_${id}`, `changeset_${id}`];
  const steps = operations.map((operation) => {
    const { method, path, headers, body = "" } = writeRow(table, partitionKey, operation);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `--${changes}\r\ncontent-type: application/http\r\ncontent-transfer-encoding: binary\r\n\r\n${method} ${address}${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}\r\n`;
  });
  return {
    method: "POST",
    path: "/$batch",
    headers: { ...VERSIONS, accept: "application/json", "content-type": `multipart/mixed; boundary=${batch}` },
    body: `--${batch}\r\ncontent-type: multipart/mixed; boundary=${changes}\r\n\r\n${steps.join("")}--${changes}--\r\n--${batch}--\r\n`,
  };
}
