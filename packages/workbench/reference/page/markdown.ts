// The part of Markdown that the descriptions of the published documents use.

export type Block =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly string[] }
  | { readonly kind: "table"; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

export interface Section {
  /** Empty for the text before the first heading. */
  readonly title: string;
  /** The title as a part of an address. */
  readonly slug: string;
  readonly blocks: readonly Block[];
}

/** A text's sections, split at its headings of the second level. */
export const sectionsOf = (text: string): readonly Section[] =>
  `\n${text}`.split("\n## ").map((part, i) => {
    const end = part.indexOf("\n");
    const title = i === 0 ? "" : part.slice(0, end === -1 ? undefined : end).trim();
    return { title, slug: slugOf(title), blocks: blocksOf(i === 0 ? part : part.slice(title.length)) };
  });

const slugOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** A text's paragraphs, lists and tables. */
export const blocksOf = (text: string): readonly Block[] =>
  text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== "")
    .map(blockOf);

function blockOf(text: string): Block {
  const lines = text.split("\n");
  if (text.startsWith("|")) return tableOf(lines);
  if (/^(?:- |1\. )/.test(text)) return { kind: "list", isOrdered: text.startsWith("1."), items: itemsOf(lines) };
  return { kind: "paragraph", text: lines.join(" ") };
}

const itemsOf = (lines: readonly string[]): readonly string[] =>
  lines
    .join("\n")
    .split(/^(?:- |\d+\. )/m)
    .slice(1)
    .map((item) => item.trim().replaceAll("\n", " "));

function tableOf([head = "", , ...rows]: readonly string[]): Block {
  return { kind: "table", head: cellsOf(head), rows: rows.map(cellsOf) };
}

const cellsOf = (row: string): readonly string[] =>
  row
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

export type Run =
  | { readonly kind: "text" | "code" | "strong"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

/** The runs of a line: code, bold text, links, and the text between them. A link that is not a web address becomes text. */
export const runsOf = (line: string): readonly Run[] =>
  line.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/).flatMap((part): readonly Run[] => {
    if (part === "") return [];
    if (part.startsWith("`") && part.length > 2) return [{ kind: "code", text: part.slice(1, -1) }];
    if (part.startsWith("**") && part.length > 4) return [{ kind: "strong", text: part.slice(2, -2) }];
    const [, text, href] = /^\[([^\]]+)\]\((https?:[^)]+)\)$/.exec(part) ?? [];
    return text === undefined || href === undefined ? [{ kind: "text", text: part }] : [{ kind: "link", text, href }];
  });
