import { headerText, type Call, type Type, type Value } from "../call.ts";
import { UNREADABLE_HEADER, unreadableHeader } from "./unreadable-header.ts";

export interface Property {
  readonly type: Type;
  /** Undefined if C# would have a null reference. */
  read(call: Call): Value | undefined;
}

const text = (read: (call: Call) => Value | undefined): Property => ({ type: "string", read });

/** The body as .NET decodes it. Undefined before `validate-content` has read it, because an expression would read a body of any length. */
const bodyText = (content: Uint8Array | undefined): string | undefined =>
  content && new TextDecoder("utf-8").decode(content);

/** The members of `context` that policies may read. `LastError.Message` is left out on purpose, because it must never be shown. */
export const properties: ReadonlyMap<string, Property> = new Map<string, Property>([
  ["context.RequestId", { type: "guid", read: (call) => call.requestId }],
  ["context.Api.Id", text((call) => call.operation?.apiId)],
  ["context.Operation.Id", text((call) => call.operation?.id)],
  ["context.Subscription.Id", text((call) => call.subscriptionId)],
  ["context.Request.Method", text((call) => call.request.method)],
  ["context.Request.IpAddress", text((call) => call.request.ipAddress)],
  ["context.Request.OriginalUrl.Path", text((call) => call.request.path)],
  [UNREADABLE_HEADER, text((call) => unreadableHeader(call.request.headers))],
  ["context.Request.Body != null", { type: "bool", read: (call) => call.request.hasBody }],
  ["context.Request.Body.As<string>(preserveContent: true)", text(({ request }) => bodyText(request.content()))],
  ["context.Response.StatusCode", { type: "int", read: (call) => call.answer?.status }],
  ["context.LastError.Source", text((call) => call.lastError?.source)],
  ["context.LastError.Reason", text((call) => call.lastError?.reason)],
]);

/** Returns null if the name is unknown, and undefined if the dictionary itself does not exist yet. */
type Dictionary = (call: Call, name: string) => Value | undefined;

/** The members with a `GetValueOrDefault` that returns strings. */
export const dictionaries: ReadonlyMap<string, Dictionary> = new Map<string, Dictionary>([
  ["context.Request.Headers", (call, name) => headerText(call.request.headers, name) ?? null],
  ["context.Request.Url.Query", (call, name) => queryText(call.request.query, name)],
  ["context.Request.MatchedParameters", (call, name) => call.parameters.get(name) ?? null],
  ["context.Response.Headers", (call, name) => call.answer && (headerText(call.answer.headers, name) ?? null)],
]);

export const VARIABLES = "context.Variables";

function queryText(query: string, name: string): string | null {
  if (query === "") return null;
  const values = [...new URLSearchParams(query)].filter(([key]) => key.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? null : values.map(([, value]) => value).join(",");
}
