/** An expression outside the subset. The compiler of the policy adds file and line. */
export class ExpressionFault extends Error {}

export type Token =
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "integer"; readonly value: number }
  | { readonly kind: "name"; readonly value: string }
  | { readonly kind: "symbol"; readonly value: string };

const next =
  /\s*(?:"(?<string>(?:[^"\\]|\\.)*)"|(?<integer>\d+)(?![\w.])|(?<name>[A-Za-z_]\w*)|(?<symbol>\?\?|&&|\|\||[=!<>]=|[!<>+().,]))/y;

/** Splits the source of an expression. Throws `ExpressionFault` at the first character sequence that the subset lacks. */
export function tokens(source: string): Token[] {
  const found: Token[] = [];
  const text = source.trimEnd();
  next.lastIndex = 0;
  while (next.lastIndex < text.length) {
    const at = next.lastIndex;
    const groups = next.exec(text)?.groups;
    if (!groups) throw new ExpressionFault(`cannot read the expression from ${excerpt(text.slice(at).trimStart())}`);
    found.push(toToken(groups));
  }
  return found;
}

function toToken({ string, integer, name, symbol }: Record<string, string | undefined>): Token {
  if (string !== undefined) return { kind: "string", value: unescape(string) };
  if (integer !== undefined) return { kind: "integer", value: Number(integer) };
  if (name !== undefined) return { kind: "name", value: name };
  return { kind: "symbol", value: symbol ?? "" };
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, (escape, character: string) => {
    if (character === '"' || character === "\\") return character;
    throw new ExpressionFault(`the escape ${escape} is outside the subset`);
  });
}

const excerpt = (text: string) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);
