import * as z from "zod";
import type { FaultTarget } from "../faults/rule.ts";

/** A request to Table Storage as it was received. `path` is the request's target, including the account's name and the query. */
export interface TableCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

const named = z.object({ PartitionKey: z.string().optional(), TableName: z.string().optional() });

/**
 * The table of a call, and its partition if the call names one. A partition can be in its address, in the row that it adds, or in the
 * filter of its query. A transaction has its calls in its body, and all are for one partition. A call without a table is for all tables.
 */
export function callTarget(call: TableCall): FaultTarget {
  const { path, query } = partsOf(call.path);
  if (path === "$batch") return firstOf(call.body);
  const [, table = "", keys] = /^(\w+)(?:\((.*)\))?$/s.exec(path) ?? [];
  if (table === "Tables") return aboutTable(keys === undefined ? readRow(call).TableName : unquoted(keys));
  if (table === "") return { tables: "all" };
  const partition = partitionOf(keys) ?? queriedPartition(query) ?? readRow(call).PartitionKey;
  return partition === undefined ? { table } : { table, partition };
}

const aboutTable = (table: string | undefined): FaultTarget => (table ? { table } : { tables: "all" });

/** The target after the account's name. Empty if the text is not a URL. */
function partsOf(target: string): { readonly path: string; readonly query: URLSearchParams } {
  const url = URL.parse(target, "http://tables");
  const path = url?.pathname.split("/").slice(2).join("/") ?? "";
  return { path: decoded(path), query: url?.searchParams ?? new URLSearchParams() };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Azurite rejects it
  }
}

const partitionOf = (keys: string | undefined): string | undefined => {
  const quoted = /PartitionKey=('(?:[^']|'')*')/.exec(keys ?? "")?.[1];
  return quoted === undefined ? undefined : unquoted(quoted);
};

/** The only partition that a query selects. Undefined if it selects several partitions, or a range. */
function queriedPartition(query: URLSearchParams): string | undefined {
  const mentions = [...(query.get("$filter") ?? "").matchAll(/PartitionKey (\w+) ('(?:[^']|'')*')/g)];
  const [, operator, quoted] = mentions[0] ?? [];
  return mentions.length === 1 && operator === "eq" && quoted !== undefined ? unquoted(quoted) : undefined;
}

const unquoted = (text: string) => text.replace(/^'|'$/g, "").replaceAll("''", "'");

function readRow({ method, body }: TableCall): z.infer<typeof named> {
  if (method !== "POST") return {};
  try {
    return named.safeParse(JSON.parse(body)).data ?? {};
  } catch {
    return {}; // Azurite rejects it
  }
}

/** The first call of a transaction: a request line, its headers and, after one or two empty lines, its row. */
function firstOf(batch: string): FaultTarget {
  const [, method = "", path = "", row = ""] =
    /^([A-Z]+) (\S+) HTTP\/1\.1\r?\n(?:[^\r\n]+\r?\n)*(?:\r?\n)*([^\r\n]*)/m.exec(batch) ?? [];
  return path === "" ? { tables: "all" } : callTarget({ method, path, body: row });
}
