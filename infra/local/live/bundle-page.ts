import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The files of a page, by path. */
export type PageFiles = ReadonlyMap<string, readonly [type: string, body: string | Uint8Array]>;

/** A page's sources: `index.html` and `main.tsx` of a folder, and its style sheets in the order in which they count. */
export interface PageSources {
  readonly folder: URL;
  readonly looks: readonly URL[];
}

const folder = new URL("page/", import.meta.url);
/** The letters of the Latin script; others are the machine's own. */
const letters = new URL(import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"));

/** The sources of the live page: the house's looks, and then those of each view, in the order of their names. */
export async function livePage(): Promise<PageSources> {
  const views = (await readdir(new URL("views/", folder))).filter((name) => name.endsWith(".css")).toSorted();
  return { folder, looks: ["style.css", ...views.map((name) => `views/${name}`)].map((name) => new URL(name, folder)) };
}

/** Bundles a page. It takes less time than reading a built one, so nothing built is kept. */
export async function bundlePage({ folder, looks }: PageSources): Promise<PageFiles> {
  const [built, html, css, font] = await Promise.all([
    build({
      entryPoints: [fileURLToPath(new URL("main.tsx", folder))],
      bundle: true,
      write: false,
      format: "esm",
      target: "es2022",
      minify: true,
      jsx: "automatic",
      jsxImportSource: "preact",
      logLevel: "warning",
    }),
    readFile(new URL("index.html", folder), "utf8"),
    Promise.all(looks.map((file) => readFile(file, "utf8"))),
    readFile(letters),
  ]);
  return new Map<string, readonly [string, string | Uint8Array]>([
    ["/", ["text/html", html]],
    ["/page.js", ["text/javascript", built.outputFiles[0]?.text ?? ""]],
    ["/style.css", ["text/css", css.join("\n")]],
    ["/inter.woff2", ["font/woff2", font]],
  ]);
}
