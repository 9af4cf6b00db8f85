import type { HttpRequest } from "@azure/functions";
import * as z from "zod";
import type { Problem } from "../contracts/objects/problem.ts";
import type { Result } from "../domain/result.ts";
import type { Parameters } from "./contract.ts";
import { readThrough } from "./read-through.ts";

/**
 * Reads a contract's query, headers and named path parts through their schemas. A wrong value is 422. An empty value counts as absent. If
 * the query has a name twice, the first value counts.
 */
export function parametersReader({ path, query, header }: Parameters) {
  const names = {
    path: Object.keys(path?.shape ?? {}),
    query: Object.keys(query?.shape ?? {}),
    header: Object.keys(header?.shape ?? {}),
  };
  const schema = z.object({ ...path?.shape, ...query?.shape, ...header?.shape });
  return (
    request: Pick<HttpRequest, "params" | "query" | "headers">,
  ): Result<Readonly<Record<string, unknown>>, Problem> => {
    const inPath = names.path.map((name) => [name, request.params[name] || undefined]);
    const inQuery = names.query.map((name) => [name, request.query.get(name) || undefined]);
    const inHeaders = names.header.map((name) => [name, request.headers.get(name) || undefined]);
    return readThrough(schema, Object.fromEntries([...inPath, ...inQuery, ...inHeaders]));
  };
}
