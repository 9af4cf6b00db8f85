/** The parts of an OpenAPI 3.1 document that callers depend on. */
export interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly paths?: PathItems;
  readonly webhooks?: PathItems;
  readonly security?: Security;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
}

/** By path or the webhook's name, then by method. */
type PathItems = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Any one of these is enough. Each of them needs all its schemes. */
export type Security = readonly Readonly<Record<string, readonly string[]>>[];

export interface SecurityScheme {
  readonly type: string;
  readonly in?: string;
  readonly name?: string;
  readonly scheme?: string;
}

export interface Operation {
  readonly operationId: string;
  readonly security?: Security;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Response>>;
}

export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface Body {
  readonly required?: boolean;
  readonly content: Content;
}

export interface Response {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema?: Schema }>>;
  readonly content?: Content;
}

/** By media type. */
export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** A JSON schema as the documents hold it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly [keyword: string]: unknown;
}

/** Shared schemas by their references. */
export type Schemas = ReadonlyMap<string, Schema>;

/** An operation and its address: `POST /pos-payment`. */
export interface Placed extends Operation {
  readonly address: string;
}

/** The operations of a document's paths, or of its webhooks. Throws for one without an identifier, because operations are matched by it. */
export const operationsOf = (items: PathItems = {}): Placed[] =>
  Object.entries(items).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const address = `${method.toUpperCase()} ${path}`;
      if (!operation.operationId) throw new Error(`${address} has no operationId`);
      return { ...operation, address };
    }),
  );

/** A document's shared schemas by their references. */
export const schemasOf = ({ components }: Document): Schemas =>
  new Map(Object.entries(components?.schemas ?? {}).map(([name, schema]) => [`#/components/schemas/${name}`, schema]));
