import {
  odata,
  RestError,
  type TableClient,
  type CreateDeleteEntityAction,
  type TableEntity,
  type TransactionAction,
  type UpdateEntityAction,
} from "@azure/data-tables";
import { Conflict, Unavailable } from "../ports/failures.ts";
import type { Operation, Row, Rows } from "./rows.ts";

/** HTTP paths give a dependency three seconds in all; one call gets less, so that a caller can still answer. */
const CALL_TIMEOUT_MS = 2_500;

/** `Rows` on a table of Azure Table Storage. */
export function azureRows(table: TableClient): Rows {
  return {
    async get(partitionKey, rowKey) {
      try {
        return toRow(await call((abortSignal) => table.getEntity(partitionKey, rowKey, { abortSignal })));
      } catch (error) {
        if (isMissingRow(error)) return undefined;
        throw error;
      }
    },
    async withPrefix(partitionKey, prefix, atMost = Infinity) {
      const filter = odata`PartitionKey eq ${partitionKey} and RowKey ge ${prefix} and RowKey lt ${`${prefix}~~`}`;
      const rows: Row[] = [];
      let continuationToken: string | undefined;
      // Each page is a call of its own, with a call's time; one may be short, or empty, before the end.
      do {
        const settings = {
          ...(continuationToken !== undefined && { continuationToken }),
          ...(atMost < Infinity && { maxPageSize: atMost }),
        };
        const page = await call((abortSignal) =>
          table.listEntities({ queryOptions: { filter }, abortSignal }).byPage(settings).next(),
        );
        const entities = page.done ? [] : page.value;
        rows.push(...entities.map(toRow));
        continuationToken = page.done ? undefined : page.value.continuationToken;
      } while (continuationToken !== undefined && rows.length < atMost);
      return rows.slice(0, atMost);
    },
    async submit(partitionKey, operations) {
      const [only] = operations;
      await call(async (abortSignal) => {
        if (operations.length === 1 && only) await submitOne(table, partitionKey, only, abortSignal);
        else
          await table.submitTransaction(
            operations.map((o) => toAction(partitionKey, o)),
            { abortSignal },
          );
      });
    },
    async remove(partitionKey, rowKey, etag) {
      await call((abortSignal) => table.deleteEntity(partitionKey, rowKey, { etag, abortSignal }));
    },
  };
}

async function submitOne(table: TableClient, partitionKey: string, operation: Operation, abortSignal: AbortSignal) {
  const entity = { partitionKey, rowKey: operation.rowKey };
  switch (operation.kind) {
    case "insert":
      return table.createEntity({ ...entity, ...operation.columns }, { abortSignal });
    case "replace":
      return table.updateEntity({ ...entity, ...operation.columns }, "Replace", { etag: operation.etag, abortSignal });
    case "discard":
      return table.deleteEntity(partitionKey, operation.rowKey, { abortSignal });
    case "overwrite":
      return table.upsertEntity({ ...entity, ...operation.columns }, "Replace", { abortSignal });
  }
}

function toAction(partitionKey: string, operation: Operation): TransactionAction {
  const entity: TableEntity = { partitionKey, rowKey: operation.rowKey };
  switch (operation.kind) {
    case "insert":
      return ["create", { ...entity, ...operation.columns }] satisfies CreateDeleteEntityAction;
    case "replace":
      return [
        "update",
        { ...entity, ...operation.columns },
        "Replace",
        { etag: operation.etag },
      ] satisfies UpdateEntityAction;
    case "discard":
      return ["delete", { partitionKey, rowKey: operation.rowKey }];
    case "overwrite":
      return ["upsert", { ...entity, ...operation.columns }, "Replace"];
  }
}

/** An entity of the SDK as a row. */
export function toRow(entity: Record<string, unknown>): Row {
  const { partitionKey, rowKey, etag, timestamp: _, ...rest } = entity;
  const columns: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (name.startsWith("odata.")) continue;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") columns[name] = value;
  }
  return { partitionKey: String(partitionKey), rowKey: String(rowKey), etag: String(etag), columns };
}

async function call<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await act(AbortSignal.timeout(CALL_TIMEOUT_MS));
  } catch (error) {
    throw classified(error);
  }
}

const isMissingRow = (error: unknown) => error instanceof RestError && codeOf(error) === "ResourceNotFound";

/** The service's own word for an error; the SDK carries it in one of two places. */
function codeOf(error: RestError): string | undefined {
  const details = error.details as { readonly odataError?: { readonly code?: string } } | undefined;
  return error.code ?? details?.odataError?.code;
}

/** What the service or the way to it throws is passing, unless it is proven to be a mistake of ours. */
function classified(error: unknown): unknown {
  if (error instanceof RestError && isConflict(error)) return new Conflict(codeOf(error), { cause: error });
  if (isOurs(error)) return error;
  const why = error instanceof RestError ? (codeOf(error) ?? error.statusCode ?? error.message) : String(error);
  return new Unavailable(`Table Storage: ${why}`, { cause: error });
}

/** Another writer was first: a row is there, is not as it was read, or is gone since. */
const isConflict = (error: RestError): boolean =>
  error.statusCode === 409 || error.statusCode === 412 || (isMissingRow(error) && error.request?.method !== "GET");

/** These say of the service that it is busy, or that it does not know us now: a key that was rotated, a firewall, a failover. */
const passing: ReadonlySet<number> = new Set([401, 403, 404, 408, 429]);

/** A request that could never be taken; a row that is not there; or an error that never left this process. */
function isOurs(error: unknown): boolean {
  if (!(error instanceof RestError)) return error instanceof TypeError || error instanceof RangeError;
  const { statusCode = 503 } = error;
  return isMissingRow(error) || (statusCode < 500 && !passing.has(statusCode));
}
