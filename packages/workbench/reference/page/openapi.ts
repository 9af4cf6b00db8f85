// The part of OpenAPI 3.1 that the published documents use. The project writes these documents itself, so the part is present.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export type Schemas = Readonly<Record<string, Schema>>;

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly "application/json"?: {
    readonly schema?: Schema;
    readonly example?: unknown;
    /** By name. They refer to the examples of the components. */
    readonly examples?: Readonly<Record<string, unknown>>;
  };
}

export interface DocumentedResponse {
  readonly description: string;
  readonly content?: Content;
  /** The values of `code` that the response may have. */
  readonly "x-codes"?: readonly string[];
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

type Paths = Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly paths: Paths;
  readonly webhooks?: Paths;
  readonly components: {
    readonly schemas: Schemas;
    readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
    readonly securitySchemes: Readonly<
      Record<string, { readonly name?: string; readonly type: string; readonly description: string }>
    >;
  };
}
