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

function classified(error: unknown): unknown {
  if (!(error instanceof RestError)) {
    const isTimeout = error instanceof Error && error.name === "AbortError";
    return isTimeout ? new Unavailable("Table Storage did not answer in time", { cause: error }) : error;
  }
  if (isConflict(error)) return new Conflict(codeOf(error), { cause: error });
  if (isPassing(error)) {
    return new Unavailable(`Table Storage: ${codeOf(error) ?? error.statusCode}`, { cause: error });
  }
  return error;
}

/** Another writer was first: a row is there, is not as it was read, or is gone since. */
const isConflict = (error: RestError): boolean =>
  error.statusCode === 409 || error.statusCode === 412 || (isMissingRow(error) && error.request?.method !== "GET");

/** Without a status the service was not reached. */
const isPassing = ({ statusCode = 503 }: RestError): boolean =>
  statusCode === 408 || statusCode === 429 || statusCode >= 500;
