import { routeConstraint } from "./route-constraints.ts";

export type RouteParams = Readonly<Record<string, string>>;

export interface Route<Target> {
  /** The function's name. */
  readonly name: string;
  /** The template under the route prefix, such as `orders/{id:guid}/{part?}/{*rest}`. */
  readonly template: string;
  /** Empty means every method. */
  readonly methods: readonly string[];
  readonly target: Target;
}

/** Finds the route of a request. Undefined if no route has this path *and* this method. */
export type FindRoute<Target> = (
  method: string,
  path: string,
) => { readonly target: Target; readonly params: RouteParams } | undefined;

/**
 * Tries routes in the order of their functions' names. The first match is used, however general it is. Throws for a template that cannot be
 * read, for names that the host reserves, and for two routes that match the same requests.
 */
export function routeTable<Target>(prefix: string, routes: readonly Route<Target>[]): FindRoute<Target> {
  const compiled = routes.map((route) => {
    const template = `${prefix}/${route.template}`.replaceAll(/^\/+|\/+$/g, "");
    if (/^(admin|runtime)(\/|$)/i.test(template))
      throw new Error(`route "${template}": the host keeps this path for itself`);
    const segments = template === "" ? [] : template.split("/").map((text) => readSegment(text, template));
    const methods = route.methods.map((method) => method.toUpperCase());
    return { name: route.name.toLowerCase(), template, methods, segments, target: route.target };
  });
  for (const [index, route] of compiled.entries()) {
    const twin = compiled.slice(0, index).find((earlier) => isSameRoute(earlier, route));
    if (twin) throw new Error(`route "${route.template}" is taken by another function`);
  }
  const ordered = compiled.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  return (method, path) => {
    const parts = path.replace(/^\//, "").replace(/\/$/, "").split("/").map(decode);
    const given = parts.length === 1 && parts[0] === "" ? [] : parts;
    for (const { methods, segments, target } of ordered) {
      if (methods.length > 0 && !methods.includes(method)) continue;
      const params = matchSegments(segments, given);
      if (params) return { target, params };
    }
    return undefined;
  };
}

type Segment = { readonly literal: string } | Parameter;

interface Parameter {
  readonly name: string;
  /** Whether it is a catch-all. */
  readonly takesRest: boolean;
  readonly constraints: readonly ((value: string) => boolean)[];
  /** The parameter if the path ends before it. Undefined if it is required. */
  readonly absent: RouteParams | undefined;
}

const PARAMETER =
  /^\{(?<stars>\*{0,2})(?<name>[A-Za-z_]\w*)(?<constraints>(:\w+(\([^()]*\))?)*)((?<optional>\?)|=(?<fallback>[^{}]*))?\}$/;

function readSegment(text: string, template: string): Segment {
  if (!/[{}]/.test(text)) return { literal: text.toLowerCase() };
  const groups = PARAMETER.exec(text)?.groups;
  if (!groups) throw new Error(`route "${template}": the segment "${text}" is not supported`);
  try {
    return toParameter(groups);
  } catch (error) {
    throw new Error(`route "${template}": ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function toParameter(groups: Readonly<Record<string, string>>): Parameter {
  const { stars, name = "", constraints, optional, fallback } = groups;
  const takesRest = stars !== "";
  const mayBeAbsent = takesRest || optional !== undefined;
  return {
    name,
    takesRest,
    constraints: (constraints?.match(/\w+(\([^()]*\))?/g) ?? []).map(routeConstraint),
    absent: fallback !== undefined ? { [name]: fallback } : mayBeAbsent ? {} : undefined,
  };
}

function matchSegments(segments: readonly Segment[], parts: readonly string[]): RouteParams | undefined {
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const rest = parts.slice(index);
    const read = readParams(segment, rest);
    if (!read) return undefined;
    Object.assign(params, read);
    if (isCatchAll(segment) && rest.length > 0) return params;
  }
  return parts.length > segments.length ? undefined : params;
}

const isCatchAll = (segment: Segment): boolean => "takesRest" in segment && segment.takesRest;

/** Reads a segment from the rest of the path. Returns its parameter, or none for a literal. Undefined if it does not match. */
function readParams(segment: Segment, rest: readonly string[]): RouteParams | undefined {
  const [part] = rest;
  if ("literal" in segment) return part?.toLowerCase() === segment.literal ? {} : undefined;
  if (part === undefined) return segment.absent;
  const value = segment.takesRest ? rest.join("/") : part;
  const fits = value !== "" && segment.constraints.every((accepts) => accepts(value));
  return fits ? { [segment.name]: value } : undefined;
}

/** Decodes a segment. An encoded slash stays encoded, so that it never becomes a separator. Bytes that are not UTF-8 stay encoded too. */
function decode(part: string): string {
  try {
    return part
      .split(/(%2f)/i)
      .map((piece) => (/^%2f$/i.test(piece) ? piece : decodeURIComponent(piece)))
      .join("");
  } catch {
    return part;
  }
}

const isSameRoute = (
  one: { readonly template: string; readonly methods: readonly string[] },
  other: { readonly template: string; readonly methods: readonly string[] },
): boolean =>
  one.template.toLowerCase() === other.template.toLowerCase() &&
  (one.methods.length === 0 ||
    other.methods.length === 0 ||
    one.methods.some((method) => other.methods.includes(method)));
