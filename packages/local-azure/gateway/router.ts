import type { Api, Operation } from "./declaration.ts";

/** The operation of a request. */
export interface Match<Target> {
  readonly target: Target;
  /** The path for the backend, without the API's path. */
  readonly path: string;
  readonly parameters: ReadonlyMap<string, string>;
}

export type Router<Target> = (method: string, path: string) => Match<Target> | undefined;

interface Route<Target> {
  readonly method: string;
  readonly segments: readonly string[];
  readonly parameterCount: number;
  readonly target: Target;
}

/**
 * Finds the operation of a request. The API with the longest path that matches the first segments of the request's path is used. An API
 * without a path gets all other requests. A literal segment has precedence over a parameter. Case does not matter, as in API Management.
 */
export function router<Target>(
  apis: readonly Api[],
  targetOf: (api: Api, operation: Operation) => Target,
): Router<Target> {
  const prefixes = apis
    .map((api) => ({
      prefix: segmentsOf(api.path.toLowerCase()),
      routes: api.operations
        .map((operation) => toRoute(operation, targetOf(api, operation)))
        .toSorted((a, b) => a.parameterCount - b.parameterCount),
    }))
    .toSorted((a, b) => b.prefix.length - a.prefix.length);
  return (method, fullPath) => {
    const all = fullPath.slice(1).split("/");
    const api = prefixes.find(({ prefix }) => prefix.every((segment, at) => all[at]?.toLowerCase() === segment));
    const segments = segmentsOf(all.slice(api?.prefix.length).join("/"));
    for (const route of api?.routes ?? []) {
      if (route.method !== method) continue;
      const parameters = matchedParameters(route.segments, segments);
      if (parameters) return { target: route.target, path: `/${segments.join("/")}`, parameters };
    }
    return undefined;
  };
}

function toRoute<Target>({ method, urlTemplate }: Operation, target: Target): Route<Target> {
  const segments = segmentsOf(urlTemplate.slice(1));
  return { method, segments, parameterCount: segments.filter(isParameter).length, target };
}

/** An empty path has no segments. The template `/` matches the API's own path, with or without a trailing slash. */
const segmentsOf = (path: string): string[] => (path === "" ? [] : path.split("/"));

const isParameter = (segment: string) => segment.startsWith("{") && segment.endsWith("}");

/** The names in a template. */
export const parametersOf = (urlTemplate: string): string[] =>
  urlTemplate
    .split("/")
    .filter(isParameter)
    .map((segment) => segment.slice(1, -1));

function matchedParameters(template: readonly string[], segments: readonly string[]): Map<string, string> | undefined {
  if (template.length !== segments.length) return undefined;
  const parameters = new Map<string, string>();
  for (const [index, expected] of template.entries()) {
    const segment = segments[index] ?? "";
    if (isParameter(expected)) {
      if (!isName(segment)) return undefined;
      parameters.set(expected.slice(1, -1), segment);
    } else if (expected.toLowerCase() !== segment.toLowerCase()) {
      return undefined;
    }
  }
  return parameters;
}

/** Rejects a segment of dots, because the backend would resolve it to another path than the matched one. */
const isName = (segment: string) => segment !== "" && !/^(?:\.|%2e){1,2}$/i.test(segment);
