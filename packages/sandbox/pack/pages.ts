import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sandboxWords } from "../../../infra/tools/packed.ts";
import { inSandbox } from "../../../infra/tools/typed-command.ts";

/** A link to a file, without its anchor. */
const link = /\[([^\]]+)\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)\s]*)?\)/g;

/**
 * Makes the pages in the folder those of people who have the package alone: commands and folders are the sandbox's, and a link to a file
 * that is not in the package is its text.
 */
export async function adaptPages(folder: string): Promise<void> {
  const files = await readdir(join(folder, "docs"), { recursive: true });
  for (const file of files.filter((one) => one.endsWith(".md"))) {
    const path = join(folder, "docs", file);
    const page = inSandbox(await readFile(path, "utf8"))
      .replaceAll(/npm start -- (?=-)/g, `${sandboxWords} start `)
      .replaceAll("`.local/", "`~/.local/state/terminal-payments-sandbox/")
      .replaceAll(link, (whole, text: string, to: string) => (existsSync(join(dirname(path), to)) ? whole : text));
    await writeFile(path, page);
  }
}
