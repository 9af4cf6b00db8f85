const MAX_DEPTH = 32;

/**
 * Parses JSON that says one thing only: a repeated member name, or nesting deeper than 32, is refused, since two readers could
 * take it differently. `null` members are left out: null means absent. (Decision 2) Throws `SyntaxError`.
 */
export function parseStrictJson(text: string): unknown {
  refuseDoubtful(text);
  return JSON.parse(text, (_, value: unknown) => (value === null ? undefined : value));
}

/** One pass over the text, before anything is built from it; what is not JSON at all is left to `JSON.parse`. */
function refuseDoubtful(text: string): void {
  const open: (Set<string> | undefined)[] = []; // member names of an object, undefined for an array
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gs;
  for (const [found, colon] of text.matchAll(token)) {
    if (found === "{" || found === "[") {
      open.push(found === "{" ? new Set() : undefined);
      if (open.length > MAX_DEPTH) throw new SyntaxError("nested too deeply");
    } else if (found === "}" || found === "]") {
      open.pop();
    } else if (colon !== undefined) {
      const name = String(JSON.parse(found.slice(0, -colon.length)));
      const names = open.at(-1);
      if (names?.has(name)) throw new SyntaxError("a member name is repeated");
      names?.add(name);
    }
  }
}
