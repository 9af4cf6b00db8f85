import type { HttpRequest } from "@azure/functions";
import * as z from "zod";
import type { Problem } from "../../contracts/objects/problem.ts";
import type { Result } from "../../domain/result.ts";
import type { Parameters } from "./contract.ts";
import { queryProblems } from "./read-query.ts";
import { readThrough } from "./read-through.ts";

/**
 * Reads a contract's query, headers and named path parts through their schemas. A wrong value is 422. An empty part of
 * the path counts as absent. The query is read from the address, because the Functions host joins the values of a repeated name in `HttpRequest.query`.
 *
 * @param checksNames whether each name in the query must be known, occur once and have a value. Otherwise an unknown name is ignored, an
 *   empty value counts as absent, and the first of several values counts
 */
export function parametersReader({ path, query: inContract, header }: Parameters, checksNames: boolean) {
  const names = {
    path: Object.keys(path?.shape ?? {}),
    query: Object.keys(inContract?.shape ?? {}),
    header: Object.keys(header?.shape ?? {}),
  };
  const schema = z.object({ ...path?.shape, ...inContract?.shape, ...header?.shape });
  return (
    request: Pick<HttpRequest, "params" | "url" | "headers">,
  ): Result<Readonly<Record<string, unknown>>, Problem> => {
    const query = new URL(request.url).searchParams;
    const inPath = names.path.map((name) => [name, request.params[name] || undefined]);
    const inQuery = names.query.map((name) => [name, query.get(name) || undefined]);
    const inHeaders = names.header.map((name) => [name, request.headers.get(name) ?? undefined]);
    const wrongNames = checksNames ? queryProblems(query, names.query) : [];
    return readThrough(schema, Object.fromEntries([...inPath, ...inQuery, ...inHeaders]), wrongNames);
  };
}
