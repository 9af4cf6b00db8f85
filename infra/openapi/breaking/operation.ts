import type { Body, Content, Document, Operation, Parameter, Placed, Response } from "./document.ts";
import { schemasOf } from "./document.ts";
import { memberBreaks, schemaBreaks, type Compared, type Direction, type Member } from "./schema.ts";

interface Documents {
  readonly released: Document;
  readonly current: Document;
}

/** The changes in an operation's request and responses that break its callers, in sentences. */
export const operationBreaks = (before: Placed, after: Placed, documents: Documents): string[] =>
  exchangeBreaks(before, after, documents, { request: "sent", response: "received" });

/** The changes in a webhook that break its receivers: they receive the request, and send the response. */
export const webhookBreaks = (before: Placed, after: Placed, documents: Documents): string[] =>
  exchangeBreaks(before, after, documents, { request: "received", response: "sent" });

interface Directions {
  readonly request: Direction;
  readonly response: Direction;
}

function exchangeBreaks(before: Placed, after: Placed, documents: Documents, directions: Directions): string[] {
  const name = before.operationId;
  const [released, current] = [schemasOf(documents.released), schemasOf(documents.current)];
  const on = (part: string, direction: Direction): Compared => ({
    direction,
    place: `${name}: the ${part}`,
    released,
    current,
  });
  return [
    ...(before.address === after.address ? [] : [`${name} moved from ${before.address} to ${after.address}`]),
    ...memberBreaks(parametersOf(before), parametersOf(after), on("request", directions.request)),
    ...bodyBreaks(before.requestBody, after.requestBody, on("body", directions.request)),
    ...Object.entries(before.responses ?? {}).flatMap(([status, response]) =>
      responseBreaks(response, after.responses?.[status], on(`response ${status}`, directions.response)),
    ),
    ...(directions.response === "received" ? newSuccesses(before, after) : []),
  ];
}

const parametersOf = ({ parameters = [] }: Operation) =>
  new Map(parameters.map((parameter) => [parameterName(parameter), memberOf(parameter)]));

/** Letter case does not matter in a header's name, but in a query parameter's. */
const parameterName = ({ in: where, name }: Parameter) =>
  where === "header" ? headerName(name) : `${where} parameter "${name}"`;

const headerName = (name: string) => `header "${name.toLowerCase()}"`;

const memberOf = ({ required = false, schema = {} }: Partial<Member>): Member => ({ required, schema });

const bodyBreaks = (before: Body | undefined, after: Body | undefined, on: Compared): string[] => [
  ...(on.direction === "sent" ? sentBodyBreaks(before, after, on.place) : receivedBodyBreaks(before, after, on.place)),
  ...contentBreaks(before?.content, after?.content, on),
];

const sentBodyBreaks = (before: Body | undefined, after: Body | undefined, place: string): string[] =>
  isRequired(after) && !isRequired(before) ? [`${place} is now needed`] : [];

/** A removed body is reported by its media types. */
const receivedBodyBreaks = (before: Body | undefined, after: Body | undefined, place: string): string[] =>
  after && isRequired(before) && !isRequired(after) ? [`${place} may be missing`] : [];

const isRequired = (body: Body | undefined): boolean => body?.required === true;

function responseBreaks(before: Response, after: Response | undefined, on: Compared): string[] {
  if (!after) return [`${on.place} is gone`];
  return [
    ...memberBreaks(headersOf(before), headersOf(after), on),
    ...contentBreaks(before.content, after.content, on),
  ];
}

const headersOf = ({ headers = {} }: Response) =>
  new Map(Object.entries(headers).map(([name, header]) => [headerName(name), memberOf(header)]));

function contentBreaks(before: Content = {}, after: Content = {}, on: Compared): string[] {
  return Object.entries(before).flatMap(([type, { schema = {} }]) => {
    const now = after[type];
    return now ? schemaBreaks(schema, now.schema ?? {}, on) : [`${on.place} is no longer ${type}`];
  });
}

/** Callers handle every failure, also by an unknown problem; but they cannot guess the meaning of a new success. */
const newSuccesses = (before: Operation, after: Operation): string[] =>
  Object.keys(after.responses ?? {})
    .filter((status) => /^[123]/.test(status) && !before.responses?.[status])
    .map((status) => `${before.operationId}: the response may now be ${status}`);
