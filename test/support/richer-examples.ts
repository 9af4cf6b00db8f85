import { createServer, type Server } from "node:http";
import { read } from "./pages.ts";

// Responses that a later version of the platform may send. They are the documented examples, with an additional member in each object, an
// unknown value in each enumeration, and an event of a new type.

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
interface Operation {
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>> }
    >
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = JSON.parse(read("docs/openapi/partners.json")) as Document;

/** A value that no version knows yet. */
export const NEW_VALUE = "aNewValue";

/** The value of the schema, with additional content. */
export function richer(value: unknown, given: Schema): unknown {
  const schema = { ...(given.$ref && document.components.schemas[given.$ref.split("/").at(-1) ?? ""]), ...given };
  if ("x-extensible-enum" in schema) return NEW_VALUE;
  if (Array.isArray(value)) return value.map((one) => richer(one, schema.items ?? {}));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    richer(member, schema.properties?.[name] ?? {}),
  ]);
  return { ...Object.fromEntries(members), aNewMember: { of: ["any", "kind", 1, null] } };
}

/** The documents' schema with this name. */
export const schemaNamed = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

function exampleOf(path: string): unknown {
  const { schema = {}, example } = document.paths[path]?.["get"]?.responses["200"]?.content?.["application/json"] ?? {};
  return richer(example, schema);
}

/** An event that only a later version sends. */
export const newEvent = {
  id: "an-event-of-a-new-type",
  type: "terminal.moved",
  timestamp: "2026-11-21T10:30:00.000Z",
  sequence: 1,
  data: { pointOfServiceID: "5d5b5a4e-3f0c-4c8e-9a51-0c4f6b1d2e3f", aNewMember: true },
};

/** A later version of the platform, which responds to the list and to the feed with richer examples. */
export function laterPlatform(): Server {
  const page = exampleOf("/events") as { readonly events: readonly unknown[] };
  const responses: Readonly<Record<string, unknown>> = {
    "/pos-payments": exampleOf("/pos-payments"),
    "/events": { ...page, events: [...page.events, newEvent] },
  };
  return createServer(({ url = "" }, response) => {
    const body = responses[new URL(url, "http://platform").pathname];
    response.writeHead(body ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(body ?? {}));
  });
}
