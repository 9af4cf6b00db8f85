import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { apiPaths } from "../../shared/edge/http/api-paths.ts";
import type { OpenApiDocument } from "../../infra/documents/openapi/document.ts";

// The published documents, to check the platform's real responses against them.

export const apiNames = ["partners", "consumer", "terminals"] as const;
type ApiName = (typeof apiNames)[number];

/** A response as the documents describe it. */
export interface DocumentedResponse {
  readonly api: ApiName;
  readonly operationId: string;
  readonly status: string;
  /** In lower case. */
  readonly headers: readonly string[];
  /** The problems that it may carry; empty for a success. */
  readonly codes: readonly string[];
}

/** A response as it was received. */
export interface SeenResponse {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface Verdict {
  readonly operationId: string;
  readonly status: string;
  readonly code?: string | undefined;
  /** The parts that the document does not describe. */
  readonly complaints: readonly string[];
}

interface Schema {
  readonly [keyword: string]: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly example?: string }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: object } } };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Response {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
  readonly "x-codes"?: readonly string[];
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
// Callers ignore values that they do not know. These tests require every value to be documented.
ajv.addKeyword({
  keyword: "x-extensible-enum",
  validate: (known: readonly unknown[], value: unknown) => known.includes(value),
});

const documents = Object.fromEntries(
  apiNames.map((name) => {
    const file = new URL(`../../docs/openapi/${name}.json`, import.meta.url);
    const document = JSON.parse(readFileSync(file, "utf8")) as OpenApiDocument;
    ajv.addSchema(closed({ components: document.components }) as object, name);
    return [name, document];
  }),
) as Record<ApiName, OpenApiDocument>;

/** A schema without unknown members. Callers ignore members that they do not know. These tests require every member to be documented. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]));
  const isOpen = copy["type"] === "object" && "properties" in copy && !("additionalProperties" in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

const operations = apiNames.flatMap((api) =>
  Object.entries(documents[api].paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      api,
      method: method.toUpperCase(),
      path: new RegExp(`^${apiPaths[api]}${path.replaceAll(/\{\w+\}/g, "[^/%]+")}$`, "i"), // the gateway serves no path with a "%"
      template: `${apiPaths[api]}${path}`,
      operation,
    })),
  ),
);

/** An operation with the example request from its document. */
export interface DocumentedOperation {
  readonly api: ApiName;
  readonly operationId: string;
  readonly method: string;
  /** Below the base address. */
  readonly path: string;
  readonly body?: object | undefined;
  /** The scopes of which a partner's key needs one. Empty for another API. */
  readonly scopes: readonly string[];
}

export const documentedOperations: readonly DocumentedOperation[] = operations.map(
  ({ api, method, template, operation: { operationId, description = "", parameters = [], requestBody } }) => ({
    api,
    operationId,
    method,
    path: parameters.reduce((path, { name, example = "" }) => path.replace(`{${name}}`, example), template),
    body: requestBody?.content["application/json"].example,
    scopes: /the scope (`\w+`(?: or `\w+`)*)/.exec(description)?.[1]?.replaceAll("`", "").split(" or ") ?? [],
  }),
);

/** Every response in the documents. */
export const documentedResponses: readonly DocumentedResponse[] = operations.flatMap(({ api, operation }) =>
  Object.entries(operation.responses).map(([status, response]) => ({
    api,
    operationId: operation.operationId,
    status,
    headers: Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()),
    codes: response["x-codes"] ?? [],
  })),
);

/** The addresses of a platform, so that another server's paths are not mistaken for its own. */
export interface Platform {
  readonly baseUrl: string;
  readonly functionsUrl: string;
}

/**
 * Whether the request goes to a gateway. For this platform's gateway every path counts. On any other port only the path of an operation
 * counts.
 */
export function isDocumented(url: string, { baseUrl, functionsUrl }: Platform): boolean {
  const { origin, pathname } = new URL(url);
  if (origin === functionsUrl || pathname.startsWith("/probes/")) return false;
  return origin === baseUrl || operations.some(({ path }) => path.test(pathname));
}

/** Compares a response of the gateway with the documents: its status, its headers, its body. */
export function judge(seen: SeenResponse): Verdict {
  const { pathname } = new URL(seen.url);
  const found = operations.find(({ method, path }) => method === seen.method && path.test(pathname));
  const status = String(seen.status);
  if (!found) return judgeUnknown(seen, status);
  const { api, operation } = found;
  const { operationId } = operation;
  const response = operation.responses[status];
  if (!response) return { operationId, status, complaints: [`the status ${status} is not documented: ${seen.body}`] };
  const body = parsed(seen.body);
  const code = codeOf(body);
  const complaints = [
    ...aboutHeaders(response, seen.headers),
    ...aboutBody(api, response, seen.headers, body),
    ...(code === undefined || response["x-codes"]?.includes(code) ? [] : [`the code ${code} is not documented`]),
  ];
  return { operationId, status, code, complaints };
}

/** A path or a method without an operation. The gateway itself responds, and distinguishes the two. */
function judgeUnknown({ body, url }: SeenResponse, status: string): Verdict {
  const code = codeOf(parsed(body));
  const isKnown = operations.some(({ path }) => path.test(new URL(url).pathname));
  const isRefused = isKnown
    ? status === "405" && code === "method_not_allowed"
    : status === "404" && code === "not_found";
  return { operationId: "none", status, complaints: isRefused ? [] : [`no operation is documented: ${body}`] };
}

/**
 * Headers that HTTP itself, a browser's cross-origin check or the host's server adds to any response, and the gateway's two headers for
 * browsers. No policy of API Management removes `server`.
 */
const transport =
  /^(?:date|connection|keep-alive|transfer-encoding|content-length|content-type|server|vary|access-control-.+|strict-transport-security|x-content-type-options)$/;

function aboutHeaders({ headers = {} }: Response, seen: Headers): string[] {
  const known = new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]));
  const unknown = [...seen.keys()].filter((name) => !transport.test(name) && !known.has(name));
  const wrong = [...known].flatMap(([name, { required, schema }]) => {
    const value = seen.get(name);
    if (value === null) return required ? [`the header ${name} is missing`] : [];
    return ajv.validate(schema, value) ? [] : [`the header ${name}: ${ajv.errorsText()}`];
  });
  return [...unknown.map((name) => `the header ${name} is not documented`), ...wrong];
}

function aboutBody(api: ApiName, { content }: Response, headers: Headers, body: unknown): string[] {
  if (!content) return body === undefined ? [] : ["there is a body, and none is documented"];
  const type = headers.get("content-type")?.split(";")[0] ?? "none";
  const media = content[type];
  if (!media) return [`the content type ${type} is not documented`];
  const validate = schemaOf(api, media.schema);
  return validate(body) ? complaintsAboutEvents(body) : [ajv.errorsText(validate.errors)];
}

type Webhook = {
  readonly post: {
    readonly requestBody: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
  };
};
const webhookSchemas = new Map(
  Object.entries((documents.partners.webhooks ?? {}) as Record<string, Webhook>).map(([name, { post }]) => [
    name,
    post.requestBody.content["application/json"].schema,
  ]),
);

/** Checks the events of a page of the feed. Each is the body of a webhook. */
const complaintsAboutEvents = (body: unknown): string[] =>
  typeof body === "object" && body !== null && "events" in body && Array.isArray(body.events)
    ? body.events.flatMap((event) => [...complaintsAboutWebhook(JSON.stringify(event))])
    : [];

/** Compares a webhook's body with the document's webhooks. */
export function complaintsAboutWebhook(body: string): readonly string[] {
  const event = parsed(body) as { readonly type?: string } | undefined;
  const [subject = ""] = event?.type?.split(".") ?? [];
  const schema = webhookSchemas.get(subject);
  const name = `the webhook ${event?.type ?? "without a type"}`;
  if (!schema) return [`${name} is not documented`];
  const validate = schemaOf("partners", schema);
  return validate(event) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`];
}

function schemaOf(api: ApiName, { $ref }: Schema): ValidateFunction {
  const validate = ajv.getSchema(`${api}${String($ref)}`);
  if (!validate) throw new Error(`${api} has no schema ${String($ref)}`);
  return validate;
}

function parsed(body: string): unknown {
  try {
    return body === "" ? undefined : JSON.parse(body);
  } catch {
    return body;
  }
}

const codeOf = (body: unknown): string | undefined =>
  typeof body === "object" && body !== null && "code" in body && typeof body.code === "string" ? body.code : undefined;
