const MAX_DEPTH = 32;

/**
 * Parses JSON that says one thing only: a repeated member name, one that names a prototype or is half a character, a number that a double
 * does not hold, or nesting deeper than 32, is refused, since two readers could take it differently. `null` members are left out: null means
 * absent. (Decision 2) Throws `SyntaxError`.
 */
export function parseStrictJson(text: string): unknown {
  // What is looked at below is JSON: each string in it ends, so that one pass takes time in proportion to its length.
  JSON.parse(text);
  refuseDoubtful(text);
  return JSON.parse(text, read);
}

/** A bracket that opens, one that closes, or a string: with its colon it is a member's name. */
const token = /([{[])|([}\]])|"(?:[^"\\]|\\.)*"(\s*:)?/gs;

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
  if (name === "__proto__") throw new SyntaxError("a member names a prototype");
  if (!name.isWellFormed()) throw new SyntaxError("a member name is no Unicode");
  if (names?.has(name)) throw new SyntaxError("a member name is repeated");
  names?.add(name);
}

function read(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (value === null) return undefined;
  if (typeof value === "number" && !isHeld(context?.source, String(value)))
    throw new SyntaxError("a number has more digits than a double holds");
  return value;
}

/** Whether a double that is written as `shortest` is just what the source says. */
const isHeld = (source: string | undefined, shortest: string): boolean =>
  source === undefined || source === shortest || digitsOf(source) === digitsOf(shortest);

/** A decimal number in one spelling: `12.50`, `12.5` and `125e-1` are one. */
function digitsOf(decimal: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(decimal) ?? [];
  const digits = whole + fraction;
  const first = Array.prototype.findIndex.call(digits, isNoZero);
  const last = Array.prototype.findLastIndex.call(digits, isNoZero);
  if (first < 0) return whole.slice(0, 1);
  return `${sign}${digits.slice(first, last + 1)}e${Number(exponent) + whole.length - 1 - last}`;
}

const isNoZero = (digit: string): boolean => digit !== "0";
