import { readFile } from "node:fs/promises";
import { sectionsOf, type Block, type Section } from "./page/markdown.ts";

const page = new URL("../../../docs/problems.md", import.meta.url);

/** `docs/problems.md` as HTML in the style of the reference. Each code is an anchor. */
export async function problemsHtml(): Promise<string> {
  const markdown = (await readFile(page, "utf8")).replace(/^<!--.*-->\s*# Problems\s/, "");
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Problems</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="style.css">
  </head>
  <body><main class="guide"><h1>Problems</h1>${sectionsOf(markdown).map(sectionHtml).join("\n")}</main></body>
</html>
`;
}

function sectionHtml({ title, blocks }: Section): string {
  const content = blocks.map(blockHtml).join("\n");
  return title === ""
    ? content
    : `<section id="${escaped(title.replaceAll("`", ""))}"><h2>${inline(title)}</h2>${content}</section>`;
}

function blockHtml(block: Block): string {
  if (block.kind === "paragraph") return `<p>${inline(block.text)}</p>`;
  if (block.kind === "list") return `<ul class="points">${elements("li", block.items)}</ul>`;
  const rows = block.rows.map((row) => `<tr>${elements("td", row)}</tr>`).join("");
  return `<div class="scroll panel" tabindex="0"><table><thead><tr>${elements("th", block.head)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

const elements = (tag: string, lines: readonly string[]): string =>
  lines.map((line) => `<${tag}>${inline(line)}</${tag}>`).join("");

/** Formats a line's code, bold text, and links within the page. */
const inline = (line: string): string =>
  escaped(line)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replaceAll(/\[([^\]]+)\]\((#\w+)\)/g, '<a href="$2">$1</a>');

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** Escapes text for an element, or for an attribute in double quotes. */
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
