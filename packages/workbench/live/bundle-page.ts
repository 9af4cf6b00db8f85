import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The files of a page, by path. */
export type PageFiles = ReadonlyMap<string, readonly [type: string, body: string | Uint8Array]>;

/** The font of the Latin script. For other scripts the browser uses a font of the machine. */
const letters = new URL(import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"));

/**
 * Bundles a page: `index.html`, `main.tsx` and `style.css` of a folder, with their imports. This takes less time than reading a built
 * bundle, so no bundle is stored.
 */
export async function bundlePage(folder: URL): Promise<PageFiles> {
  const [script, style, html, font, icon] = await Promise.all([
    bundled(new URL("main.tsx", folder)),
    bundled(new URL("style.css", folder)),
    readFile(new URL("index.html", folder), "utf8"),
    readFile(letters),
    readFile(new URL("page/favicon.svg", import.meta.url), "utf8"),
  ]);
  return new Map<string, readonly [string, string | Uint8Array]>([
    ["/", ["text/html", html]],
    ["/page.js", ["text/javascript", script]],
    ["/style.css", ["text/css", style]],
    ["/favicon.svg", ["image/svg+xml", icon]],
    ["/inter.woff2", ["font/woff2", font]],
  ]);
}

async function bundled(entry: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    minify: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    external: ["inter.woff2"], // served next to the bundle
    logLevel: "warning",
  });
  return outputFiles[0]?.text ?? "";
}
