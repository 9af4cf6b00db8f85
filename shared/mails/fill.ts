/** HTML that this app wrote itself, around texts that were escaped. */
export interface Html {
  readonly html: string;
}

/** What stands in a template's places, by their names. A text is escaped; a place without a value takes its section away. */
export type Places = Readonly<Record<string, string | Html | undefined>>;

/**
 * The template with its places filled: `{{name}}` by a value, `{{#name}}…{{/name}}` kept where there is one. The places of a value are not
 * filled. Throws for a place that has no value.
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

/** Text for an element or a quoted attribute. */
const escaped = (text: string): string => text.replaceAll(/[&<>"'\n]/g, (character) => entities[character] ?? "");

/** A code that may break into two lines at the hyphen in its middle, and nowhere else. */
export function inTwoLines(code: string): Html {
  const groups = code.split(/(?<=-)/);
  const middle = Math.ceil(groups.length / 2);
  const halves = [groups.slice(0, middle), groups.slice(middle)].map((half) => escaped(half.join("")));
  const html = halves.map((half) => `<span style="white-space:nowrap">${half}</span>`).join("<wbr />");
  return { html };
}
