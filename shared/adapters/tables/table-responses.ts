import { Conflict, Unavailable } from "../../ports/failures.ts";
import { stepsOf } from "./group-response.ts";
import type { Columns, Operation, Row } from "../../ports/rows.ts";
import { isETag, type Continuation, type RowRange } from "./table-requests.ts";

// A response is accepted only if it is a valid answer of Table Storage to the request. Any other response becomes `Unavailable`. Its sender
// is unknown, and the requested operation may have succeeded.

/** A response as it was received. */
export interface TableResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  header(name: string): string | undefined;
}

/** The requested row. Undefined if the service responds that it does not exist. */
export function toFoundRow(response: TableResponse, partitionKey: string, rowKey: string): Row | undefined {
  if (response.status === 404 && codeOf(response) === MISSING_ROW) return undefined;
  if (response.status !== 200) throw failureOf(response, "read");
  const row = toRow(jsonOf(response));
  if (row?.partitionKey !== partitionKey || row.rowKey !== rowKey) throw strange("a read");
  return row;
}

/** A page of rows, and the start of the next page if there is one. */
interface Page {
  readonly rows: readonly Row[];
  readonly next: Continuation | undefined;
}

/** A page of a range of rows. */
export const toPage = (response: TableResponse, range: RowRange): Page =>
  toPageOf(response, (row) => row.partitionKey === range.partitionKey && isWithin(range, row.rowKey));

const isWithin = ({ prefix, after = "", before }: RowRange, rowKey: string): boolean =>
  rowKey.startsWith(prefix) && (after < prefix || rowKey > after) && (before === undefined || rowKey < before);

/** A page of the rows of a table after a partition. */
export const toTablePage = (response: TableResponse, after: string | undefined): Page =>
  toPageOf(response, (row) => after === undefined || row.partitionKey > after);

function toPageOf(response: TableResponse, isRequested: (row: Row) => boolean): Page {
  if (response.status !== 200) throw failureOf(response, "read");
  const { value } = recordOf(jsonOf(response)) ?? {};
  if (!Array.isArray(value)) throw strange("a query");
  const rows = value.map((entity) => {
    const row = toRow(entity);
    if (!row || !isRequested(row)) throw strange("a query");
    return row;
  });
  const next = response.header("x-ms-continuation-nextpartitionkey");
  const nextRowKey = response.header("x-ms-continuation-nextrowkey") ?? "";
  return { rows, next: next === undefined ? undefined : { partitionKey: next, rowKey: nextRowKey } };
}

/** The new ETag of a written row. Undefined for a removed row. */
export function toWritten(response: TableResponse, operation: Operation): string | undefined {
  return writtenBy(operation, { ...response, etag: response.header("etag") });
}

/** The new ETag of each row that a group wrote. Undefined for a removed row. */
export function toGroupWritten(
  response: TableResponse,
  operations: readonly Operation[],
): readonly (string | undefined)[] {
  if (response.status !== 202) throw failureOf(response, "write");
  const steps = stepsOf(response.contentType, response.text) ?? [];
  const [first] = steps;
  if (first && steps.length === 1 && first.status >= 400) throw failureOf(first, "write");
  if (steps.length !== operations.length) throw strange("a group");
  return operations.map((operation, i) => {
    const step = steps[i];
    if (!step || step.status >= 300) throw strange("a group");
    return writtenBy(operation, step);
  });
}

type Responded = Pick<TableResponse, "status" | "contentType" | "text">;

function writtenBy(
  operation: Operation,
  response: Responded & { readonly etag: string | undefined },
): string | undefined {
  if (response.status !== 204) throw failureOf(response, "write");
  if (operation.kind === "discard" || operation.kind === "remove") return undefined;
  if (!isETag(response.etag)) throw strange("a write");
  return response.etag;
}

const MISSING_ROW = "ResourceNotFound";
/**
 * Temporary statuses: the service is busy, or does not accept the account now (a rotated key, a firewall, a failover). The statuses 409 and
 * 412 are temporary only for a read.
 */
const passing: ReadonlySet<number> = new Set([401, 403, 404, 408, 429, 409, 412]);

/**
 * The error of a failed request. It is `Unavailable`, unless the service's own code shows that another writer was first (`Conflict`) or
 * that the request itself is wrong (`Error`).
 */
function failureOf(response: Responded, intent: "read" | "write"): Error {
  const { status } = response;
  const code = codeOf(response);
  if (code === undefined) return new Unavailable(`Table Storage: status ${status} without an error code`);
  if (intent === "write" && isConflict(status, code)) return new Conflict(code);
  const why = `Table Storage: ${status} ${code}`;
  return status >= 400 && status < 500 && !passing.has(status) ? new Error(why) : new Unavailable(why);
}

/** Whether another writer was first: a row already exists, has changed since it was read, or was removed. */
const isConflict = (status: number, code: string): boolean =>
  status === 409 || status === 412 || (status === 404 && code === MISSING_ROW);

const strange = (to: string): Unavailable => new Unavailable(`Table Storage: not a response to ${to}`);

/** The service's own error code. */
function codeOf(response: Responded): string | undefined {
  const { code } = recordOf(recordOf(jsonOf(response))?.["odata.error"]) ?? {};
  return typeof code === "string" && /^\w{1,100}$/.test(code) ? code : undefined;
}

function jsonOf({ contentType, text }: Responded): unknown {
  if (!/^application\/json\b/i.test(contentType)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller rejects a response without a body it can read
  }
}

const recordOf = (json: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof json === "object" && json !== null ? (json as Readonly<Record<string, unknown>>) : undefined;

/** The row of an entity as the service writes it. Undefined if it is not such an entity. */
export function toRow(json: unknown): Row | undefined {
  const { PartitionKey: partitionKey, RowKey: rowKey, "odata.etag": etag, ...rest } = recordOf(json) ?? {};
  if (typeof partitionKey !== "string" || typeof rowKey !== "string" || !isETag(etag)) return undefined;
  return { partitionKey, rowKey, etag, columns: columnsOf(rest) };
}

const TYPE = "@odata.type";
const PLAIN: ReadonlySet<unknown> = new Set([undefined, "Edm.String", "Edm.Boolean", "Edm.Int32", "Edm.Double"]);

/** The platform's columns. The service's own columns, and columns of types that the platform does not write, are left out. */
function columnsOf(entity: Readonly<Record<string, unknown>>): Columns {
  const columns: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(entity)) {
    const isOwn = name === "Timestamp" || name.startsWith("odata.") || name.endsWith(TYPE);
    if (!isOwn && isPrimitive(value) && PLAIN.has(entity[name + TYPE])) columns[name] = value;
  }
  return columns;
}

const isPrimitive = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";
