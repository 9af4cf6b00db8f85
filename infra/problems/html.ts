import type { ProblemCode } from "../../shared/contracts/objects/problem.ts";
import { INTRODUCTION } from "./markdown.ts";
import { problemCodes, problemPage, problemRows, type Block } from "./page.ts";

/** What a server has at a path: `/problems`, `/problems/<code>` and their style, with the content's type. */
export function problemSite(path: string): readonly [type: string, body: string] | undefined {
  if (path === "/problems" || path === "/problems/") return ["text/html", problemIndexHtml()];
  if (path === "/problems/style.css") return ["text/css", style];
  const body = path.startsWith("/problems/") ? problemHtml(path.slice("/problems/".length)) : undefined;
  return body === undefined ? undefined : ["text/html", body];
}

/** A code's page. Undefined where there is no such code. */
function problemHtml(name: string): string | undefined {
  const code = problemCodes.find((one) => one === name);
  return code && documentOf(code, [...problemPage(code).map(htmlOf), '<p><a href="/problems">All problems</a></p>']);
}

/** The list of all codes. */
function problemIndexHtml(): string {
  const rows = problemRows().map(([code, ...rest]) => [linkTo(code), ...rest.map(escaped)]);
  const table = tableOf(["code", "status", "meaning", "again"], rows);
  return documentOf("Problems", ["<h1>Problems</h1>", `<p>${inline(INTRODUCTION)}</p>`, table]);
}

const linkTo = (code: ProblemCode): string => `<a href="/problems/${code}"><code>${code}</code></a>`;

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** Text within an element or between the double quotes of an attribute. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);

/** A line of text, with what stands between backticks as code. */
const inline = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");

function htmlOf(block: Block): string {
  switch (block.kind) {
    case "title":
      return `<h1>${inline(block.text)}</h1>`;
    case "heading":
      return `<h2>${inline(block.text)}</h2>`;
    case "text":
      return `<p>${inline(block.text)}</p>`;
    case "list":
      return `<ul>${block.items.map((item) => `<li>${inline(item)}</li>`).join("")}</ul>`;
    case "table":
      return tableOf(
        block.head.map(inline),
        block.rows.map((row) => row.map(inline)),
      );
    case "json":
      return `<pre tabindex="0">${escaped(block.text)}</pre>`;
  }
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return `<div class="wide"><table><thead>${cells("th", head)}</thead><tbody>${rows.map((row) => cells("td", row)).join("")}</tbody></table></div>`;
}

const style = `
  :root { color-scheme: light dark; font: 1rem/1.55 system-ui, sans-serif; }
  main { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin-top: 1.8rem; }
  code, pre { font-family: ui-monospace, monospace; font-size: 0.92em; }
  pre, .wide { overflow-x: auto; } pre { padding: 0.8rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 0.4rem; }
  table { border-collapse: collapse; } th, td { text-align: left; padding: 0.25rem 1rem 0.25rem 0; vertical-align: top; }
  li { margin: 0.3rem 0; }
`;

const documentOf = (title: string, parts: readonly string[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(title)}</title>
    <link rel="stylesheet" href="/problems/style.css">
  </head>
  <body><main>${parts.join("\n")}</main></body>
</html>
`;
