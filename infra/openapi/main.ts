import { copyFile, mkdir, writeFile } from "node:fs/promises";
import type { ApiName } from "../../shared/auth/authenticate.ts";
import { apis } from "./apis.ts";
import { newScript, runScript } from "../script.ts";
import { asFile, openApiDocument } from "./document.ts";

// `npm run openapi` writes the documents from the endpoints' contracts; a test keeps them current. `npm run openapi:release` also records
// them as what later versions must not break.

const root = new URL("../../", import.meta.url);

async function write(release: boolean): Promise<void> {
  for (const name of Object.keys(apis) as ApiName[]) {
    const imported = new URL(`infra/apim/openapi/${name}.json`, root);
    const published = new URL(`docs/openapi/${name}.json`, root);
    const released = new URL(`docs/openapi/released/${name}.json`, root);
    for (const file of [imported, released]) await mkdir(new URL(".", file), { recursive: true });
    await writeFile(imported, asFile(openApiDocument(name, "3.0.3")));
    await writeFile(published, asFile(openApiDocument(name, "3.1.1")));
    if (release) await copyFile(published, released);
  }
}

export const script = newScript("npm run openapi --", "Writes the OpenAPI documents from the endpoints' contracts.")
  .option("--release", "also records them as what later versions must not break")
  .action(({ release = false }: { readonly release?: boolean }) => write(release));

if (import.meta.main) await runScript(script);
