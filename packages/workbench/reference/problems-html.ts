import { readFile } from "node:fs/promises";
import { pagesOf, type PageAddresses } from "../live/page/pages.ts";
import { sectionsOf, type Block, type Section } from "./page/markdown.ts";

const page = new URL("../../../docs/problems.md", import.meta.url);

/** `docs/problems.md` as HTML with the head and the style of the reference, and without a script. Each code is an anchor. */
export async function problemsHtml(pages: PageAddresses): Promise<string> {
  const markdown = (await readFile(page, "utf8")).replace(/^<!--.*-->\s*# Problems\s/, "");
  const sections = sectionsOf(markdown);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Problems · Terminal payments</title>
    <link rel="icon" href="favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="style.css">
  </head>
  <body>
    ${headHtml(pages)}
    <div class="book">
      <nav class="contents" aria-label="Contents"><div class="contents-list"><h2>Codes</h2><ul>${codeLinks(sections)}</ul></div></nav>
      <main class="guide problem-page" id="content" tabindex="-1"><h1>Problems</h1>${sections.map(sectionHtml).join("\n")}</main>
    </div>
  </body>
</html>
`;
}

function headHtml(pages: PageAddresses): string {
  const links = pagesOf(pages, "Problems").map(({ name, href, isCurrent, isElsewhere }) => {
    const how = `${isCurrent ? ' aria-current="page"' : ""}${isElsewhere ? ' target="_blank" rel="noreferrer"' : ""}`;
    return `<a href="${escaped(href)}"${how}>${name}</a>`;
  });
  return `<header class="head">
      <a class="skip" href="#content">Skip to the content</a>
      <div class="top"><a class="brand" href="./"><img class="mark" src="favicon.svg" alt="">Terminal payments</a></div>
      <nav class="pages" aria-label="Pages">${links.join("")}</nav>
    </header>`;
}

const codeLinks = (sections: readonly Section[]): string =>
  sections
    .map(codeOf)
    .filter((code) => code !== "")
    .map((code) => `<li><a href="#${code}">${code.replaceAll("_", "_<wbr>")}</a></li>`)
    .join("");

/** The code of a section. Empty for the text before the first section. */
const codeOf = ({ title }: Section): string => escaped(title.replaceAll("`", ""));

function sectionHtml(section: Section): string {
  const { title, blocks } = section;
  const content = blocks.map(blockHtml).join("\n");
  return title === "" ? content : `<section id="${codeOf(section)}"><h2>${inline(title)}</h2>${content}</section>`;
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
