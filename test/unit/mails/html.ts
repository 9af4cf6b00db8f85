import { parse, type DefaultTreeAdapterTypes } from "parse5";

// A mail's HTML as a browser reads it.

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Every element in the order of the document. Throws for HTML that a browser would have to repair. */
export function elementsOf(html: string): readonly Element[] {
  const wrong: string[] = [];
  const document = parse(html, {
    sourceCodeLocationInfo: true,
    onParseError: ({ code, startLine, startCol }) => wrong.push(`${code} at ${startLine}:${startCol}`),
  });
  const real = wrong.filter((one) => !one.startsWith("non-void-html-element-start-tag-with-trailing-solidus"));
  if (real.length > 0) throw new Error(`HTML that needs repair: ${real.join(", ")}`);
  return document.childNodes.flatMap(within);
}

const within = (node: Node): Element[] => ("tagName" in node ? [node, ...node.childNodes.flatMap(within)] : []);

export const attributesOf = ({ attrs }: Element): Readonly<Record<string, string>> =>
  Object.fromEntries(attrs.map(({ name, value }) => [name, value]));

/** The tags with the names of their attributes, nested: a mail without its texts. */
export const structureOf = (html: string): readonly string[] =>
  elementsOf(html)
    .filter(({ tagName }) => tagName !== "br") // a line of a text
    .map((element) => `${depthOf(element)} ${element.tagName} ${element.attrs.map(({ name }) => name).join(" ")}`);

function depthOf(element: Element): number {
  const { parentNode } = element;
  return parentNode && "tagName" in parentNode ? 1 + depthOf(parentNode) : 0;
}

/** The text that a reader sees: the texts of the body, each block on its own line, without the preview. */
export const readsAs = (html: string): string => {
  const blocks = elementsOf(html).filter(({ tagName }) => /^(?:p|h1|h2)$/.test(tagName));
  return blocks.map(textOf).join("\n");
};

/** The text of the mail's title, or of the hidden preview that mail clients show in lists. */
export function shownIn(html: string, what: "title" | "preview"): string {
  const elements = elementsOf(html);
  const found = elements.find((element) =>
    what === "title" ? element.tagName === "title" : attributesOf(element)["style"]?.startsWith("display:none"),
  );
  if (!found) throw new Error(`a mail without a ${what}`);
  return textOf(found);
}

const textOf = (node: Node): string => {
  if ("value" in node) return node.value;
  if (!("tagName" in node)) return "";
  return node.tagName === "br" ? "\n" : node.childNodes.map(textOf).join("");
};
