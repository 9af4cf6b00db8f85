import type { HttpRequest } from "@azure/functions";
import { z } from "zod";
import type { Problem } from "../contracts/objects/problem.ts";
import type { Result } from "../domain/result.ts";
import type { Parameters } from "./contract.ts";
import { readThrough } from "./read-through.ts";

/**
 * Reads the query and the headers that a contract names, through their schemas; a wrong one is 422. An empty value counts as left out. Of a
 * name that occurs twice in the query the first value counts.
 */
export function parametersReader({ query, header }: Parameters) {
  const names = { query: Object.keys(query?.shape ?? {}), header: Object.keys(header?.shape ?? {}) };
  const schema = z.object({ ...query?.shape, ...header?.shape });
  return (request: Pick<HttpRequest, "query" | "headers">): Result<Readonly<Record<string, unknown>>, Problem> => {
    const inQuery = names.query.map((name) => [name, request.query.get(name) || undefined]);
    const inHeaders = names.header.map((name) => [name, request.headers.get(name) || undefined]);
    return readThrough(schema, Object.fromEntries([...inQuery, ...inHeaders]));
  };
}
