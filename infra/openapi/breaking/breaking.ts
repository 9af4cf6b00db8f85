import { schemaBreaks, type Direction, type Schema } from "./schema.ts";

/** An OpenAPI 3.1 document, as far as callers depend on it. */
export interface Document {
  readonly info: { readonly version: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}
interface Operation {
  readonly operationId: string;
  readonly security?: Document["security"];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Response {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
  readonly content?: Content;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Placed extends Operation {
  readonly address: string;
  readonly needs: readonly string[];
}

/** Whether the current version may break callers of the released one: its major number is higher. */
export const mayBreak = (released: Document, current: Document): boolean =>
  Number.parseInt(current.info.version) > Number.parseInt(released.info.version);

/** What in the current document breaks callers of the released one, in sentences; none where nothing does. */
export function breakingChanges(released: Document, current: Document): string[] {
  const compare = (before: Schema, after: Schema, direction: Direction, place: string) =>
    schemaBreaks(before, after, { direction, place, released: schemasOf(released), current: schemasOf(current) });
  return [
    ...matched(operationsOf(released), operationsOf(current), (before, after) =>
      aboutOperation(before, after, compare),
    ),
    ...matched(webhooksOf(released), webhooksOf(current), (before, after) =>
      aboutContent(
        before.requestBody?.content,
        after.requestBody?.content,
        "told",
        `${before.operationId}: the body`,
        compare,
      ),
    ),
  ];
}

type Compare = (before: Schema, after: Schema, direction: Direction, place: string) => string[];

/** Operations are known by their identifiers. */
function matched(
  released: readonly Placed[],
  current: readonly Placed[],
  compare: (before: Placed, after: Placed) => string[],
): string[] {
  return released.flatMap((before) => {
    const after = current.find(({ operationId }) => operationId === before.operationId);
    return after ? compare(before, after) : [`${before.operationId} is gone`];
  });
}

const schemasOf = ({ components }: Document): ReadonlyMap<string, Schema> =>
  new Map(Object.entries(components?.schemas ?? {}).map(([name, schema]) => [`#/components/schemas/${name}`, schema]));

const operationsOf = ({ paths = {}, security = [] }: Document): Placed[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      address: `${method.toUpperCase()} ${path}`,
      needs: (operation.security ?? security).flatMap((schemes) => Object.keys(schemes)),
    })),
  );

const webhooksOf = ({ webhooks = {} }: Document): Placed[] => operationsOf({ info: { version: "0" }, paths: webhooks });

function aboutOperation(before: Placed, after: Placed, compare: Compare): string[] {
  const name = before.operationId;
  return [
    ...(before.address === after.address ? [] : [`${name} moved from ${before.address} to ${after.address}`]),
    ...after.needs.filter((scheme) => !before.needs.includes(scheme)).map((scheme) => `${name} now needs ${scheme}`),
    ...aboutParameters(before, after, compare),
    ...aboutBody(before, after, compare),
    ...aboutResponses(before, after, compare),
  ];
}

function aboutParameters(before: Placed, after: Placed, compare: Compare): string[] {
  const key = (parameter: Parameter) => `${parameter.in} ${parameter.name.toLowerCase()}`;
  const [old, now] = [before, after].map(({ parameters = [] }) => new Map(parameters.map((p) => [key(p), p])));
  return [
    ...[...(old ?? [])].flatMap(([name, parameter]) => {
      const place = `${before.operationId}: the parameter ${name}`;
      const other = now?.get(name);
      return other ? compare(parameter.schema, other.schema, "sent", place) : [`${place} is gone`];
    }),
    ...[...(now ?? [])]
      .filter(([name, { required }]) => required && !old?.get(name)?.required)
      .map(([name]) => `${before.operationId}: the parameter ${name} is now needed`),
  ];
}

function aboutBody(before: Placed, after: Placed, compare: Compare): string[] {
  const place = `${before.operationId}: the body`;
  if (!before.requestBody) return after.requestBody?.required ? [`${place} is now needed`] : [];
  if (!after.requestBody) return [`${place} is gone`];
  const needed = after.requestBody.required && !before.requestBody.required ? [`${place} is now needed`] : [];
  return [...needed, ...aboutContent(before.requestBody.content, after.requestBody.content, "sent", place, compare)];
}

/** Every caller has a way to fail, by a problem that it does not know as well; what a new success means it cannot guess. */
function aboutResponses(before: Placed, after: Placed, compare: Compare): string[] {
  const added = Object.keys(after.responses).filter((status) => status.startsWith("2") && !before.responses[status]);
  const kept = Object.entries(before.responses).flatMap(([status, response]) => {
    const place = `${before.operationId}: the response ${status}`;
    const other = after.responses[status];
    if (!other) return [`${place} is gone`];
    return [
      ...aboutHeaders(response, other, place, compare),
      ...aboutContent(response.content, other.content, "told", place, compare),
    ];
  });
  return [...kept, ...added.map((status) => `${before.operationId}: the response may now be ${status}`)];
}

function aboutHeaders(before: Response, after: Response, place: string, compare: Compare): string[] {
  const now = new Map(Object.entries(after.headers ?? {}).map(([name, header]) => [name.toLowerCase(), header]));
  return Object.entries(before.headers ?? {}).flatMap(([name, { required, schema }]) => {
    const other = now.get(name.toLowerCase());
    if (!other) return [`${place} no longer has the header ${name}`];
    const unsure = required && !other.required ? [`${place} may come without the header ${name}`] : [];
    return [...unsure, ...compare(schema, other.schema, "told", `${place}, the header ${name}`)];
  });
}

function aboutContent(
  before: Content | undefined,
  after: Content | undefined,
  direction: Direction,
  place: string,
  compare: Compare,
): string[] {
  return Object.entries(before ?? {}).flatMap(([type, { schema }]) => {
    const other = after?.[type];
    return other ? compare(schema, other.schema, direction, place) : [`${place} is no longer ${type}`];
  });
}
