const MAX_DEPTH = 32;

/**
 * Parses JSON that says one thing only: a repeated member name, or nesting deeper than 32, is refused, since two readers could
 * take it differently. `null` members are left out: null means absent. (Decision 2) Throws `SyntaxError`.
 */
export function parseStrictJson(text: string): unknown {
  refuseDoubtful(text);
  return JSON.parse(text, (_, value: unknown) => (value === null ? undefined : value));
}

/**
 * A bracket that opens, one that closes, or a string: with its colon it is a member's name. A string without an end is matched to the
 * end of the text: else the search would begin again at each quote in it, and take time that grows with the square of its length.
 */
const token = /([{[])|([}\]])|"(?:[^"\\]|\\.)*"?(\s*:)?/gs;

/** One pass over the text, before anything is built from it; what is not JSON at all is left to `JSON.parse`. */
function refuseDoubtful(text: string): void {
  const open: Set<string>[] = []; // the member names in each bracket that is open
  for (const [found, opening, closing, colon] of text.matchAll(token)) {
    if (opening) open.push(new Set());
    if (closing) open.pop();
    if (colon) addOnce(open.at(-1), found.slice(0, -colon.length));
    if (open.length > MAX_DEPTH) throw new SyntaxError("nested too deeply");
  }
}

function addOnce(names: Set<string> | undefined, spelled: string): void {
  const name = String(JSON.parse(spelled));
  if (names?.has(name)) throw new SyntaxError("a member name is repeated");
  names?.add(name);
}
