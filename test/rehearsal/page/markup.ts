import { escaped } from "../../../infra/local/reference/problems-html.ts";

/** HTML that is shown as it is. Any other value within a template is text, and is escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Content = string | number | Markup | readonly Content[];

const textOf = (content: Content): string => {
  if (content instanceof Markup) return content.text;
  if (typeof content === "object") return content.map(textOf).join("");
  return escaped(String(content));
};

/** A piece of HTML. What is inserted is escaped, unless it is such a piece itself; lists are joined. */
export const markup = (parts: TemplateStringsArray, ...contents: readonly Content[]): Markup =>
  new Markup(String.raw({ raw: parts }, ...contents.map(textOf)));
