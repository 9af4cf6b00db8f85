import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

/** An operation as API Management creates it from the OpenAPI document that it imports. */
export interface Operation {
  /** The document's `operationId`. It is also the name of the function and of its policy file. */
  readonly id: string;
  readonly method: string;
  readonly urlTemplate: string;
  readonly requestContentType?: string | undefined;
}

const api = z.strictObject({
  id: z.string(),
  /** The first segments of its addresses, if any. */
  path: z.string().regex(/^(?:[\w-]+(?:\/[\w-]+)*)?$/),
  subscriptionRequired: z.boolean(),
  /** The product of the subscriptions, if the product has policies. */
  product: z.string().optional(),
});

const declaration = z.strictObject({
  /** API Management rejects two APIs with the same path. */
  apis: z.array(api).refine((apis) => new Set(apis.map(({ path }) => path.toLowerCase())).size === apis.length, {
    error: "two APIs have one path",
  }),
  namedValues: z.array(
    z.strictObject({
      name: z.string(),
      secret: z.boolean(),
      /** Whether the deployment sets it, because its value differs by environment. */
      perEnvironment: z.boolean().default(false),
    }),
  ),
});

const operation = z.object({
  operationId: z.string(),
  requestBody: z.object({ content: z.record(z.string(), z.unknown()) }).optional(),
});
const document = z.object({
  openapi: z.literal("3.0.3"),
  paths: z.record(
    z.string().regex(/^\//),
    z.partialRecord(z.enum(["get", "post", "put", "patch", "delete"]), operation),
  ),
});

export type Api = z.infer<typeof api> & { readonly operations: readonly Operation[] };
export type Declaration = Omit<z.infer<typeof declaration>, "apis"> & { readonly apis: readonly Api[] };

/**
 * Reads the APIs of the gateway, here and in Azure, from `apis.json` and from the imported OpenAPI document of each API. Throws a message
 * for every violation.
 */
export async function readDeclaration(directory: string): Promise<Declaration> {
  const { apis, namedValues } = await read(join(directory, "apis.json"), declaration);
  return {
    namedValues,
    apis: await Promise.all(
      apis.map(async (api) => {
        const { paths } = await read(join(directory, "openapi", `${api.id}.json`), document);
        return { ...api, operations: Object.entries(paths).flatMap(([path, item]) => operationsOf(path, item)) };
      }),
    ),
  };
}

async function read<T>(file: string, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(JSON.parse(await readFile(file, "utf8")));
  if (parsed.success) return parsed.data;
  throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
}

const operationsOf = (
  urlTemplate: string,
  item: Partial<Readonly<Record<string, z.infer<typeof operation>>>>,
): Operation[] =>
  Object.entries(item).flatMap(([method, operation]) => {
    if (!operation) return [];
    const [requestContentType] = Object.keys(operation.requestBody?.content ?? {});
    return [{ id: operation.operationId, method: method.toUpperCase(), urlTemplate, requestContentType }];
  });
