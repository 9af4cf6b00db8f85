/** HTML that this app wrote, around escaped texts. */
export interface Html {
  readonly html: string;
}

/** The values of a template's places, by their names. A text is escaped. The section of a place without a value is removed. */
export type Places = Readonly<Record<string, string | Html | undefined>>;

/**
 * Fills a template's places. `{{name}}` is replaced by its value. `{{#name}}…{{/name}}` is kept if there is a value. Places inside a value
 * are not filled. Throws if a place has no value.
 */
export function fill(template: string, places: Places): string {
  const kept = template.replaceAll(/\{\{#(\w+)\}\}(.*?)\{\{\/\1\}\}/gs, (_, name: string, section: string) =>
    places[name] === undefined ? "" : section,
  );
  return kept.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = places[name];
    if (value === undefined) throw new Error(`a mail has nothing for ${name}`);
    return typeof value === "string" ? escaped(value) : value.html;
  });
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\n": "<br />",
};

/** Escapes a text for an element or a quoted attribute. */
const escaped = (text: string): string => text.replaceAll(/[&<>"'\n]/g, (character) => entities[character] ?? "");

/** A code that may only break into two lines at its middle hyphen. */
export function inTwoLines(code: string): Html {
  const groups = code.split(/(?<=-)/);
  const middle = Math.ceil(groups.length / 2);
  const halves = [groups.slice(0, middle), groups.slice(middle)].map((half) => escaped(half.join("")));
  const html = halves.map((half) => `<span style="white-space:nowrap">${half}</span>`).join("<wbr />");
  return { html };
}
