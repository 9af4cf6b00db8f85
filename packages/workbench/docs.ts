import { readFile, writeFile } from "node:fs/promises";
import { generatedPages, platformParts, withParts, type PageParts } from "../../infra/documents/pages.ts";
import { requestFiles } from "../../infra/documents/requests/files.ts";
import { allTexts } from "../../infra/documents/texts.ts";
import { terminalParts } from "../terminal/documented.ts";
import { newScript, runScript } from "../../infra/tools/script.ts";
import { localEnvironment } from "./local-environment.ts";

// Tests compare what this writes with the code.

const root = new URL("../../", import.meta.url);
const sources: readonly PageParts[] = [platformParts, terminalParts];

/** The pages with parts that repeat code. */
export const repeatingPages: readonly string[] = [...new Set(sources.flatMap((parts) => Object.keys(parts)))];

/** The text of such a page with its parts updated. */
export async function current(page: string, text: string): Promise<string> {
  let written = text;
  for (const parts of sources) written = await withParts(written, parts[page] ?? {});
  return written;
}

/** The sample requests, with the values of every `npm start`, by file in `docs/requests`. */
export const localRequestFiles = async () => requestFiles(await localEnvironment());

export const script = newScript(
  "npm run docs --",
  "Writes the pages, and the parts of pages, that repeat the code, and docs/requests.",
)
  .option("--texts <file>", "write every text that partners, terminal makers and operators read to this file instead")
  .action(async ({ texts }: { readonly texts?: string }) => {
    if (texts !== undefined) return writeFile(texts, await allTexts());
    for (const [page, text] of Object.entries(generatedPages)) await writeFile(new URL(page, root), text());
    for (const page of repeatingPages) {
      const url = new URL(page, root);
      await writeFile(url, await current(page, await readFile(url, "utf8")));
    }
    for (const [name, text] of Object.entries(await localRequestFiles()))
      await writeFile(new URL(`docs/requests/${name}`, root), text);
  });

if (import.meta.main) await runScript(script);
