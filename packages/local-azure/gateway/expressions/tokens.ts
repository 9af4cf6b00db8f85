import { UNREADABLE_HEADER } from "./unreadable-header.ts";

/** An expression outside the subset. The compiler of the policy adds file and line. */
export class ExpressionFault extends Error {}

export type Token =
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "integer"; readonly value: number }
  | { readonly kind: "name"; readonly value: string }
  | { readonly kind: "symbol"; readonly value: string };

/** The reads of a request that are supported in one spelling each. They count as names. */
const idioms = [
  "context.Request.Body != null",
  "context.Request.Body.As<string>(preserveContent: true)",
  UNREADABLE_HEADER,
];

/** The next token. White space and strings are as in C#: JavaScript's `\s` is a different set, and a string must end in its line. */
const next =
  /[\t\v\f\p{Zs}\r\n\u0085\u2028\u2029]*(?:"(?<string>(?:[^"\\\r\n\u0085\u2028\u2029]|\\.)*)"|(?<integer>[0-9]+)(?![\w.])|(?<name>[A-Za-z_]\w*)|(?<symbol>\?\?|&&|\|\||[=!<>]=|[!<>+().,[\]])|(?<end>$))/uy;
const LARGEST_INT = 2_147_483_647;

/** Splits the source of an expression. Throws `ExpressionFault` at the first characters that are not in the subset. */
export function tokens(source: string): Token[] {
  const found: Token[] = [];
  next.lastIndex = 0;
  for (;;) {
    const at = next.lastIndex;
    const groups = next.exec(source)?.groups;
    if (!groups) throw new ExpressionFault(`cannot read the expression from ${excerpt(source.slice(at).trimStart())}`);
    if (groups["end"] !== undefined) return found;
    const from = next.lastIndex - (groups["name"] ?? "").length;
    const idiom = groups["name"] === "context" && idioms.find((one) => source.startsWith(one, from));
    if (idiom) next.lastIndex = from + idiom.length;
    found.push(idiom ? { kind: "name", value: idiom } : toToken(groups));
  }
}

function toToken({ string, integer, name, symbol }: Record<string, string | undefined>): Token {
  if (string !== undefined) return { kind: "string", value: unescape(string) };
  if (integer !== undefined) return { kind: "integer", value: toInt(integer) };
  if (name !== undefined) return { kind: "name", value: name };
  return { kind: "symbol", value: symbol ?? "" };
}

/** Throws for a larger number, which has another type in C#. */
function toInt(digits: string): number {
  const value = Number(digits);
  if (value <= LARGEST_INT) return value;
  throw new ExpressionFault(`${digits} is outside the subset`);
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/gu, (escape, character: string) => {
    if (character === '"' || character === "\\") return character;
    throw new ExpressionFault(`the escape ${escape} is outside the subset`);
  });
}

const excerpt = (text: string) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);
