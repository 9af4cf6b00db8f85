import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

const declaration = z.object({
  apis: z.array(z.object({ id: z.string(), path: z.string(), subscriptionRequired: z.boolean() })),
  namedValues: z.array(z.object({ name: z.string(), secret: z.boolean(), perEnvironment: z.boolean().default(false) })),
});
const document = z.object({
  info: z.object({ title: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))),
});

type Declared = z.infer<typeof declaration>;

export interface DeclaredApi extends Readonly<Declared["apis"][number]> {
  readonly title: string;
  /** The names of its operations. Their policy files have the same names. */
  readonly operations: readonly string[];
}
export interface DeclaredGateway {
  readonly apis: readonly DeclaredApi[];
  readonly namedValues: Declared["namedValues"];
}

/** Reads the values that the templates need from `apis.json` and from the imported documents. Throws if a file has another format. */
export async function declaredGateway(directory: string): Promise<DeclaredGateway> {
  const { apis, namedValues } = declaration.parse(await json(join(directory, "apis.json")));
  const withOperations = async (api: Declared["apis"][number]): Promise<DeclaredApi> => {
    const { info, paths } = document.parse(await json(join(directory, "openapi", `${api.id}.json`)));
    const operations = Object.values(paths).flatMap((path) => Object.values(path).map((one) => one.operationId));
    return { ...api, title: info.title, operations };
  };
  return { namedValues, apis: await Promise.all(apis.map(withOperations)) };
}

/** Production's named values, without the secret ones. */
export const productionValues = async (directory: string): Promise<Readonly<Record<string, string>>> =>
  z.record(z.string(), z.string()).parse(await json(join(directory, "named-values.production.json")));

const json = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, "utf8"));
