import { printParseErrorCode, visit, type JSONVisitor } from "jsonc-parser";
import { placeIn } from "./place-in.ts";
import type { Doubt, DoubtfulBody } from "../../contracts/requests/unread-body.ts";

const MAX_DEPTH = 32;

/** Valid JSON that parsers may read in different ways. */
export class DoubtfulJson extends SyntaxError implements DoubtfulBody {
  readonly doubts: readonly Doubt[];
  readonly value: unknown;
  readonly asWritten: unknown;

  constructor(reason: string, doubts: readonly Doubt[], { value, asWritten }: Omit<DoubtfulBody, "doubts">) {
    super(reason);
    this.doubts = doubts;
    this.value = value;
    this.asWritten = asWritten;
  }
}

/**
 * Parses JSON that every reader understands in the same way. `null` members are removed, because null means absent. (API behaviour 2)
 *
 * Throws `DoubtfulJson` for a repeated member name, and for a number that a double cannot hold. Throws `SyntaxError` for text that is not
 * JSON, and for nesting deeper than 32. It also throws `SyntaxError` for a member name that names a prototype, holds half a character or
 * needs an escape. Each message may be shown to the caller: it names the place, and repeats nothing.
 */
export function parseStrictJson(text: string): unknown {
  const { hasNull, doubts } = scan(text);
  const parse = (json: string): unknown => {
    const parsed: unknown = parsedJson(json);
    return hasNull ? withoutNulls(parsed) : parsed;
  };
  const value = parse(text);
  const [first] = doubts;
  if (!first) return value;
  const reason =
    first.kind === "inexact number" ? "a number has more digits than a double can hold" : "a member name is repeated";
  throw new DoubtfulJson(placed(text, first.at, reason), doubts, { value, asWritten: parse(rewritten(text, doubts)) });
}

/** The message of `JSON.parse` repeats a part of the text. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError("The body is not JSON.");
  }
}

/** A doubt, and the token that removes the doubt. */
interface DoubtAt extends Doubt {
  readonly at: number;
  readonly end: number;
  readonly token: string;
}

/** Replaces the doubtful tokens of the text. */
function rewritten(text: string, doubts: readonly DoubtAt[]): string {
  let end = 0;
  const parts: string[] = [];
  for (const doubt of doubts) {
    parts.push(text.slice(end, doubt.at), doubt.token);
    end = doubt.end;
  }
  return [...parts, text.slice(end)].join("");
}

/** An open object or array: how often each member name occurred, and the name of the member that is being read. */
interface Open {
  readonly counts: Map<string, number>;
  name?: string;
}

/**
 * Finds doubtful parts of JSON, and refuses text that must not be parsed. It makes one pass over the text, in linear time. It runs before
 * `JSON.parse`, so that text that is nested too deeply is never parsed.
 */
function scan(text: string): { readonly hasNull: boolean; readonly doubts: readonly DoubtAt[] } {
  const open: Open[] = [];
  const doubts: DoubtAt[] = [];
  let hasNull = false;
  const doubt = (found: Omit<DoubtAt, "path">): void => {
    doubts.push({ ...found, path: open.flatMap(({ name }) => name ?? []) });
  };
  const wrong = (at: number, reason: string) => new SyntaxError(placed(text, at, reason));
  const begin = (at: number): void => {
    if (open.push({ counts: new Map() }) > MAX_DEPTH) throw wrong(at, `more than ${MAX_DEPTH} levels are open`);
  };
  const end = (): void => void open.pop();
  const visitor: JSONVisitor = {
    onObjectBegin: begin,
    onObjectEnd: end,
    onArrayBegin: begin,
    onArrayEnd: end,
    onObjectProperty(name, at, length) {
      const token = text.slice(at, at + length);
      const trouble = whyNoName(name, token);
      if (trouble !== undefined) throw wrong(at, trouble);
      const count = countName(open, name);
      if (count > 1) doubt({ kind: "repeated name", at, end: at + length, token: `${token.slice(0, -1)} (${count})"` });
    },
    onLiteralValue(value, at, length) {
      hasNull ||= value === null;
      if (typeof value !== "number") return;
      const token = text.slice(at, at + length);
      if (!isExact(token)) doubt({ kind: "inexact number", at, end: at + length, token: `"${token}"` });
    },
    onError(code, at) {
      throw wrong(at, errors[printParseErrorCode(code)] ?? "the body is not JSON");
    },
  };
  visit(text, visitor, { disallowComments: true });
  return { hasNull, doubts };
}

/** The reason with its place in the text. */
const placed = (text: string, at: number, reason: string): string => `At ${placeIn(text, at)}: ${reason}.`;

/** The parser's errors, by their names. */
const errors: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is not a JSON value",
  InvalidNumberFormat: "a number is not complete",
  PropertyNameExpected: "a member name in double quotes is missing, or a comma is too many",
  ValueExpected: "a value is missing, or a comma is too many",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing brace is missing",
  CloseBracketExpected: "a closing bracket is missing",
  EndOfFileExpected: "the JSON has ended, and more text follows",
  InvalidCommentToken: "JSON has no comments",
  UnexpectedEndOfString: "a string has no end",
  UnexpectedEndOfNumber: "a number is not complete",
  InvalidUnicode: "an escaped character is not complete",
  InvalidEscapeCharacter: "JSON has no such escape",
  InvalidCharacter: "a control character in a string is not escaped",
};

/** Counts a member's name in the innermost object. */
function countName(open: readonly Open[], name: string): number {
  const members = open.at(-1);
  if (!members) throw new SyntaxError("A member is in no object.");
  const count = (members.counts.get(name) ?? 0) + 1;
  members.counts.set(name, count);
  members.name = name;
  return count;
}

/**
 * Why a name is refused. One that needs an escape holds a quote, a backslash, a control character or half a character. In Node 24 and 26,
 * `JSON.parse` may confuse an escaped name with another name that holds a backslash (nodejs/node#63785). That other name may come from any
 * earlier request. Such names are never accepted, so there is nothing to confuse.
 */
function whyNoName(name: string, token: string): string | undefined {
  if (name === "__proto__") return "a member names a prototype";
  const needsEscape = token.includes("\\") && JSON.stringify(name).includes("\\");
  return needsEscape ? "a member name needs an escape" : undefined;
}

/** Removes null members from the parsed value. A null element becomes undefined. */
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

/** A double holds every decimal number of at most 15 characters without an exponent. */
const SURELY_HELD = /^[-.0-9]{1,15}$/;

/** Whether a double holds the number. */
const isExact = (source: string): boolean => SURELY_HELD.test(source) || isHeld(source, String(Number(source)));

/** Whether the double that is written as `shortest` has exactly the value of the source. */
const isHeld = (source: string, shortest: string): boolean =>
  source === shortest || digitsOf(source) === digitsOf(shortest);

/** The normal form of a decimal number. `12.50`, `12.5` and `125e-1` have the same one. */
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
