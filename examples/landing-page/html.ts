/** HTML, in contrast to text that still has to be escaped. */
export interface Html {
  readonly html: string;
}

type Shown = Html | string | number | undefined | readonly Html[];

/** Builds HTML from a template. Every inserted text is escaped, for content and for quoted attributes. */
export const html = (parts: TemplateStringsArray, ...shown: readonly Shown[]): Html => ({
  html: parts.reduce((before, part, index) => `${before}${written(shown[index - 1])}${part}`),
});

function written(shown: Shown): string {
  if (shown === undefined) return "";
  if (typeof shown === "string" || typeof shown === "number") return escaped(String(shown));
  return "html" in shown ? shown.html : shown.map((one) => one.html).join("");
}

const characters: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => characters[one] ?? one);
