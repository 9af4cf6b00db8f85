import type { Doubt, DoubtfulBody } from "../contracts/requests/unread-body.ts";

const MAX_DEPTH = 32;

/** Valid JSON that is doubtful. The message may be shown to the caller. */
export class DoubtfulJson extends SyntaxError implements DoubtfulBody {
  readonly doubts: readonly Doubt[];
  readonly value: unknown;
  readonly asWritten: unknown;

  constructor(doubts: readonly Doubt[], value: unknown, asWritten: unknown) {
    const isNumber = doubts[0]?.kind === "inexact number";
    super(isNumber ? "A number has more digits than a double holds." : "A member name is repeated.");
    this.doubts = doubts;
    this.value = value;
    this.asWritten = asWritten;
  }
}

/**
 * Parses JSON that every reader takes the same way. `null` members are left out: null means absent. Throws `DoubtfulJson` for a repeated
 * member name and for a number that a double does not hold. Throws `SyntaxError` for nesting deeper than 32, and for a member name that
 * names a prototype, holds half a character or needs an escape. It throws that for any text that is not JSON, too. (API behaviour 2)
 */
export function parseStrictJson(text: string): unknown {
  const { hasNull, doubts } = scan(text);
  const parse = (json: string): unknown => {
    const parsed: unknown = JSON.parse(json);
    return hasNull ? withoutNulls(parsed) : parsed;
  };
  const value = parse(text);
  if (doubts.length > 0) throw new DoubtfulJson(doubts, value, parse(rewritten(text, doubts)));
  return value;
}

/** A doubt, and the token that puts it beyond doubt. */
interface DoubtAt extends Doubt {
  readonly at: number;
  readonly end: number;
  readonly token: string;
}

/** The text with the tokens of its doubts replaced. */
function rewritten(text: string, doubts: readonly DoubtAt[]): string {
  let end = 0;
  const parts: string[] = [];
  for (const doubt of doubts) {
    parts.push(text.slice(end, doubt.at), doubt.token);
    end = doubt.end;
  }
  return [...parts, text.slice(end)].join("");
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LOWER_N = 0x6e;

/** A bracket that is open: how often each of its member names occurred, and the name of the member that is being read. */
interface Open {
  readonly counts: Map<string, number>;
  name?: string;
}

/**
 * Finds what is doubtful in JSON, and refuses what must not be parsed; a text that is not JSON may pass. It makes one pass over the
 * characters, so that the time is proportional to the length for every text. It runs before `JSON.parse`, so that too deeply nested text is
 * never parsed.
 */
function scan(text: string): { readonly hasNull: boolean; readonly doubts: readonly DoubtAt[] } {
  const open: Open[] = [];
  const doubts: DoubtAt[] = [];
  const doubt = (kind: Doubt["kind"], at: number, end: number, token: string): void => {
    doubts.push({ kind, path: open.flatMap(({ name }) => name ?? []), at, end, token });
  };
  let hasNull = false;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const count = isName(text, end) ? countName(open, text.slice(at, end)) : 1;
      if (count > 1) doubt("repeated name", at, end, `${text.slice(at, end - 1)} (${count})"`);
      at = end;
    } else if (startsNumber(code)) {
      const end = endOfNumber(text, at);
      if (!isExact(text, at, end)) doubt("inexact number", at, end, `"${text.slice(at, end)}"`);
      at = end;
    } else {
      follow(open, code);
      hasNull ||= code === LOWER_N;
      at += 1;
    }
  }
  return { hasNull, doubts };
}

/** Keeps the open brackets. */
function follow(open: Open[], code: number): void {
  if (opens(code)) open.push({ counts: new Map() });
  else if (closes(code)) open.pop();
  if (open.length > MAX_DEPTH) throw new SyntaxError("nested too deeply");
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

/** Counts a member's name in the innermost bracket. */
function countName(open: Open[], quoted: string): number {
  const name = quoted.includes("\\") ? unescapedName(quoted) : quoted.slice(1, -1);
  if (name === "__proto__") throw new SyntaxError("a member names a prototype");
  const members = open.at(-1);
  if (!members) throw new SyntaxError("a member is in no object");
  const count = (members.counts.get(name) ?? 0) + 1;
  members.counts.set(name, count);
  members.name = name;
  return count;
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

/** Whether a double holds the number at this place of the text. */
function isExact(text: string, start: number, end: number): boolean {
  let digits = 0;
  let exponent = 0;
  let isExponent = false;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) isExponent ||= code === 0x65 || code === 0x45;
    else if (isExponent) exponent = exponent * 10 + code - 0x30;
    else digits += 1;
  }
  if (digits <= SURELY_HELD_DIGITS && exponent <= SURELY_HELD_EXPONENT) return true;
  const source = text.slice(start, end);
  return isHeld(source, String(Number(source)));
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
