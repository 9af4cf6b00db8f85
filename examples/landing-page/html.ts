/** HTML, as opposed to a text that is to be shown. */
export interface Html {
  readonly html: string;
}

type Shown = Html | string | number | undefined | readonly Html[];

/** HTML of a template: every text within it is escaped, in content and in quoted attributes alike. */
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
