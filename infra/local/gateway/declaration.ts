import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const operation = z.strictObject({
  /** The function's name, and its policy file's. */
  id: z.string(),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  urlTemplate: z.string().regex(/^\//),
  requestContentType: z.string().optional(),
});

const api = z.strictObject({
  id: z.string(),
  /** The first segment of its addresses. */
  path: z.string().regex(/^[\w-]+$/),
  subscriptionRequired: z.boolean(),
  /** The product through which it is subscribed to, if that has policies of its own. */
  product: z.string().optional(),
  operations: z.array(operation),
});

const declaration = z.strictObject({
  apis: z.array(api),
  namedValues: z.array(z.strictObject({ name: z.string(), secret: z.boolean() })),
});

export type Operation = z.infer<typeof operation>;
export type Api = z.infer<typeof api>;
export type Declaration = z.infer<typeof declaration>;

/** Reads `apis.json`: what the gateway offers, here and in Azure. Throws with a sentence for what does not fit. */
export async function readDeclaration(directory: string): Promise<Declaration> {
  const file = join(directory, "apis.json");
  const parsed = declaration.safeParse(JSON.parse(await readFile(file, "utf8")));
  if (parsed.success) return parsed.data;
  throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
}
