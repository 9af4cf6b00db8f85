import { readFile } from "node:fs/promises";
import { isPacked } from "../../../infra/tools/packed.ts";
import { asTyped } from "../../../infra/tools/typed-command.ts";
import type { PageFiles } from "./bundle-page.ts";

/** The files in a built page's folder, with their types. */
const pageTypes: Readonly<Record<string, string>> = {
  "index.html": "text/html",
  "page.js": "text/javascript",
  "style.css": "text/css",
  "favicon.svg": "image/svg+xml",
  "inter.woff2": "font/woff2",
};

/** The files of the page in this folder. They are bundled now, or when the sandbox was packed. */
export const pageFiles = async (folder: URL): Promise<PageFiles> =>
  isPacked ? readPage(folder) : (await import("./bundle-page.ts")).bundlePage(folder);

async function readPage(folder: URL): Promise<PageFiles> {
  const names = Object.entries(pageTypes);
  const read = names.map(async ([name, type]) => {
    const file = await readFile(new URL(name, folder));
    const body = name === "page.js" ? asTyped(String(file)) : file;
    return [name === "index.html" ? "/" : `/${name}`, [type, body]] as const;
  });
  return new Map(await Promise.all(read));
}
