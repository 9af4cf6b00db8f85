import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { newScript, runScript } from "../../tools/script.ts";

// `npm run clients` writes each client's schema.ts from the API's document: the types and the table of operations.

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const generator = here("../../../clients/tools/node_modules/@hey-api/openapi-ts/bin/run.js");

/** The document with the known values of its open enumerations. A client's types list them, although later versions may add values. */
function withKnownValues(document: Document): Document {
  const known = (schema: object) =>
    "x-extensible-enum" in schema ? { ...schema, enum: schema["x-extensible-enum"] } : schema;
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [name, known(schema)] as const);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

async function typesOf(document: Document): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "client-types-"));
  try {
    const input = join(folder, "document.json");
    await writeFile(input, JSON.stringify(withKnownValues(document)));
    const options = [
      "-i",
      input,
      "-o",
      join(folder, "types"),
      "-p",
      "@hey-api/typescript",
      "--no-log-file",
      "--silent",
    ];
    await promisify(execFile)(process.execPath, [generator, ...options]);
    return await readFile(join(folder, "types/types.gen.ts"), "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The generator's name for an operation: `pos-payment-request` is `PosPaymentRequest`. */
const typeName = (operationId: string): string =>
  operationId.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

function operationsOf({ paths }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => ({ path, method: method.toUpperCase(), operationId })),
  );
  return `/** How each operation is called. */
export const operations = {
${operations.map((o) => `  "${o.operationId}": { method: "${o.method}", path: "${o.path}" },`).join("\n")}
} as const;

/** The request and the responses of each operation. */
export interface Operations {
${operations.map(({ operationId: id }) => `  "${id}": { request: ${typeName(id)}Data; response: ${typeName(id)}Responses };`).join("\n")}
}
`;
}

/** Writes the clients' files. With `check` it writes nothing, and throws if a file is not current. */
async function write({ check }: { readonly check?: true }): Promise<void> {
  if (!existsSync(generator)) throw new Error("The generator is missing: `npm ci --prefix clients/tools` installs it.");
  for (const api of ["partners", "consumer"]) {
    const document = JSON.parse(await readFile(here(`../../../docs/openapi/${api}.json`), "utf8")) as Document;
    const text = `${await typesOf(document)}\n${operationsOf(document)}`;
    const path = here(`../../../clients/${api}/schema.ts`);
    if (!check) await writeFile(path, text);
    else if ((await readFile(path, "utf8")) !== text)
      throw new Error(`${path} is not current: npm run clients writes it.`);
  }
}

export const script = newScript("npm run clients --", "Writes the clients' types from the OpenAPI documents.")
  .option("--check", "write nothing, and fail if a file is not current")
  .action(write);

if (import.meta.main) await runScript(script);
