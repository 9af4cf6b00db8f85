import type { Field, Shape } from "./fields.ts";
import { sectionsOf, type Block } from "./markdown.ts";
import type { ApiModel, EntryModel, ProblemModel } from "./model.ts";
import { linkTo } from "./routes.ts";

/** A link of the contents or of the search, under the title of its chapter. */
export interface Link {
  readonly href: string;
  readonly text: string;
  readonly hint?: string;
}

export interface Chapter {
  readonly title: string;
  readonly links: readonly Link[];
}

/** A part of the reference that the search can find. */
export interface Sought extends Link {
  readonly chapter: string;
  /** The text that the search reads in addition to the link's. */
  readonly words: string;
}

/** All parts of the reference: the guide's sections, operations, webhooks, their members, and problems. */
export function soughtIn(apis: readonly ApiModel[]): readonly Sought[] {
  const entries = apis.flatMap(({ groups }) => groups.flatMap((group) => group.entries));
  return [
    ...apis.flatMap(guideOf),
    ...entries.map((entry) => ({
      chapter: "Operations and webhooks",
      href: linkTo("operations", entry.id),
      text: entry.summary,
      ...(entry.kind === "operation" && { hint: entry.method }),
      words: [entry.id, entry.path, entry.description].join(" "),
    })),
    ...membersOf(entries),
    ...problemsOf(entries),
  ];
}

/** The parts that contain each word of the text. In a chapter, those with the text in their own name come first. */
export function searched(all: readonly Sought[], text: string): readonly Chapter[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter(({ text, hint = "", words: more }) => {
    const content = `${text} ${hint} ${more}`.toLowerCase();
    return words.every((word) => content.includes(word));
  });
  const rankOf = (link: Link) => (words.every((word) => link.text.toLowerCase().includes(word)) ? 0 : 1);
  return [...Map.groupBy(found, ({ chapter }) => chapter)].map(([title, links]) => ({
    title,
    links: links.toSorted((one, other) => rankOf(one) - rankOf(other)),
  }));
}

/** The guide is the description of the first API. The descriptions of the others are one section each. */
function guideOf({ api, title, description }: ApiModel): readonly Sought[] {
  return sectionsOf(description).map((section) => ({
    chapter: "Guide",
    href: linkTo("guide", api === "partners" ? section.slug : api),
    text: api === "partners" ? section.title || "Overview" : title,
    words: section.blocks.map(textOf).join(" "),
  }));
}

function textOf(block: Block): string {
  if (block.kind === "paragraph") return block.text;
  return block.kind === "list" ? block.items.join(" ") : [block.head, ...block.rows].flat().join(" ");
}

/** Each member once, although several requests and responses have it. The link leads to the first of them. */
function membersOf(entries: readonly EntryModel[]): readonly Sought[] {
  const all = entries.flatMap((entry) => fieldsOf(entry).map(([path, field]) => ({ entry, path, field })));
  const same = Map.groupBy(all, ({ path, field }) => `${path} ${field.description}`);
  return [...same.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const { entry, path, field } = first;
    const summaries = new Set([entry, ...others.map((other) => other.entry)].map(({ summary }) => summary));
    return {
      chapter: "Members",
      href: linkTo("operations", entry.id, path),
      text: path,
      hint: summaries.size === 1 ? entry.summary : `${entry.summary} and ${summaries.size - 1} more`,
      words: [field.description, ...field.values, ...summaries].join(" "),
    };
  });
}

const fieldsOf = ({ parameters, headers, body, successes }: EntryModel) =>
  [parameters, headers, body?.shape ?? [], ...successes.map((success) => success.body?.shape ?? [])].flatMap(pathsIn);

const pathsIn = (shape: Shape): readonly (readonly [path: string, field: Field])[] =>
  shape.flatMap(({ fields }) => fields.flatMap((field) => withInner("", field)));

const withInner = (within: string, field: Field): readonly (readonly [string, Field])[] => {
  const path = within + field.name;
  return [[path, field], ...field.inner.flatMap((inner) => withInner(`${path}.`, inner))];
};

function problemsOf(entries: readonly EntryModel[]): readonly Sought[] {
  const byCode = new Map<string, ProblemModel>(
    entries.flatMap(({ problems }) => problems.map((problem) => [problem.code, problem] as const)),
  );
  return [...byCode.values()].map(({ code, title, status }) => ({
    chapter: "Problems",
    href: `problems#${code}`,
    text: code,
    hint: status,
    words: title,
  }));
}
