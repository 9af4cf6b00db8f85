const MAX_DEPTH = 32;

/** A number would be rounded if it was read. The message may be shown to the caller. */
export class InexactNumber extends SyntaxError {}

/**
 * Parses JSON that every reader takes the same way. Refused are a repeated member name, a member name that names a prototype, holds half
 * a character or cannot be written without an escape, a number that a double does not hold, and nesting deeper than 32. `null` members are
 * left out: null means absent. Throws `SyntaxError`, of which `InexactNumber` is one. (API behaviour 2)
 */
export function parseStrictJson(text: string): unknown {
  const { hasNull } = refuseDoubtful(text);
  const parsed: unknown = JSON.parse(text);
  return hasNull ? withoutNulls(parsed) : parsed;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LOWER_N = 0x6e;

/**
 * Refuses JSON that is valid but ambiguous; a text that is no JSON may pass. It makes one pass over the characters, so that the time is
 * proportional to the length for every text. It runs before `JSON.parse`, so that too deeply nested text is never parsed.
 */
function refuseDoubtful(text: string): { readonly hasNull: boolean } {
  const names: (Set<string> | undefined)[] = []; // of each enclosing bracket, once it has a member
  let hasNull = false;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (isName(text, end)) addOnce(names, text.slice(at, end));
      at = end;
    } else if (startsNumber(code)) {
      const end = endOfNumber(text, at);
      refuseUnlessHeld(text, at, end);
      at = end;
    } else {
      if (opens(code)) names.push(undefined);
      else if (closes(code)) names.pop();
      else if (code === LOWER_N) hasNull = true;
      if (names.length > MAX_DEPTH) throw new SyntaxError("nested too deeply");
      at += 1;
    }
  }
  return { hasNull };
}

/** `[` and `{`. */
const opens = (code: number): boolean => code === 0x5b || code === 0x7b;
/** `]` and `}`. */
const closes = (code: number): boolean => code === 0x5d || code === 0x7d;
const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
/** A digit or a minus sign. */
const startsNumber = (code: number): boolean => isDigit(code) || code === 0x2d;

/** The end of the string that begins at `start`: behind its closing quote, or at the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}

/** Whether a colon follows, so that the string before it is a member's name. */
function isName(text: string, end: number): boolean {
  let at = end;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === COLON;
}

function addOnce(open: (Set<string> | undefined)[], quoted: string): void {
  const name = quoted.includes("\\") ? unescapedName(quoted) : quoted.slice(1, -1);
  if (name === "__proto__") throw new SyntaxError("a member names a prototype");
  const names = open.at(-1) ?? new Set();
  if (names.has(name)) throw new SyntaxError("a member name is repeated");
  open[open.length - 1] = names.add(name);
}

/**
 * The name that is written with an escape. One that needs it is refused: it holds a quote, a backslash, a control character or half a
 * character. `JSON.parse` of Node 24 and 26 may read an escaped name as another that holds a backslash and that it met before, in whichever
 * request (nodejs/node#63785). Since none is let in, none is met.
 */
function unescapedName(quoted: string): string {
  const name = String(JSON.parse(quoted));
  if (JSON.stringify(name).includes("\\")) throw new SyntaxError("a member name needs an escape");
  return name;
}

/** Removes the members that are null from the parsed value. An element that is null becomes undefined. */
function withoutNulls(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (member === null) delete members[name];
    else if (typeof member === "object") members[name] = withoutNulls(member);
  }
  return members;
}

/** A sign, a point, or the letter before an exponent. */
const isOfNumber = (code: number): boolean =>
  code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d;

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (isDigit(text.charCodeAt(at)) || isOfNumber(text.charCodeAt(at))) at += 1;
  return at;
}

/** A double distinguishes any two decimals of this many digits, while the exponent stays within its range. */
const SURELY_HELD_DIGITS = 15;
const SURELY_HELD_EXPONENT = 200;

function refuseUnlessHeld(text: string, start: number, end: number): void {
  let digits = 0;
  let exponent = 0;
  let isExponent = false;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) isExponent ||= code === 0x65 || code === 0x45;
    else if (isExponent) exponent = exponent * 10 + code - 0x30;
    else digits += 1;
  }
  if (digits <= SURELY_HELD_DIGITS && exponent <= SURELY_HELD_EXPONENT) return;
  const source = text.slice(start, end);
  if (!isHeld(source, String(Number(source)))) throw new InexactNumber("A number has more digits than a double holds.");
}

/** Whether the double that is written as `shortest` has exactly the value of the source. */
const isHeld = (source: string, shortest: string): boolean =>
  source === shortest || digitsOf(source) === digitsOf(shortest);

/** A normal form of a decimal number: `12.50`, `12.5` and `125e-1` have the same. */
function digitsOf(decimal: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(decimal) ?? [];
  const digits = whole + fraction;
  let first = 0;
  while (digits[first] === "0") first += 1;
  if (first === digits.length) return whole.slice(0, 1);
  let last = digits.length - 1;
  while (digits[last] === "0") last -= 1;
  return `${sign}${digits.slice(first, last + 1)}e${Number(exponent) + whole.length - 1 - last}`;
}
