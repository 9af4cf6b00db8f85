import { ExpressionFault, tokens, type Token } from "./tokens.ts";

export type BinaryOperator = "??" | "||" | "&&" | "==" | "!=" | "<" | ">" | "<=" | ">=" | "+";

export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "path"; readonly names: readonly string[] }
  | {
      readonly kind: "call";
      readonly target: Expression;
      readonly method: string;
      readonly args: readonly Expression[];
    }
  | { readonly kind: "new"; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: "index"; readonly target: Expression; readonly args: readonly Expression[] }
  | { readonly kind: "not"; readonly operand: Expression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    };

/** The operators in C#'s order, lowest precedence first. */
const levels: readonly (readonly BinaryOperator[])[] = [
  ["??"],
  ["||"],
  ["&&"],
  ["==", "!="],
  ["<", ">", "<=", ">="],
  ["+"],
];
const literals = new Map<string, true | false | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Parses the text between `@(` and `)`. Throws `ExpressionFault` for anything outside the subset. */
export function parseExpression(source: string): Expression {
  const rest = tokens(source);
  const expression = binary(rest, 0);
  const [extra] = rest;
  if (extra) throw unexpected(extra);
  return expression;
}

function binary(rest: Token[], level: number): Expression {
  const operators = levels[level];
  if (!operators) return unary(rest);
  let left = binary(rest, level + 1);
  for (;;) {
    const operator = operators.find((o) => isSymbol(rest[0], o));
    if (!operator) return left;
    rest.shift();
    // Only `??` is right-associative.
    const right = binary(rest, operator === "??" ? level : level + 1);
    left = { kind: "binary", operator, left, right };
  }
}

function unary(rest: Token[]): Expression {
  if (!isSymbol(rest[0], "!")) return postfix(rest, primary(rest));
  rest.shift();
  return { kind: "not", operand: unary(rest) };
}

function postfix(rest: Token[], start: Expression): Expression {
  let expression = start;
  for (;;) {
    if (isSymbol(rest[0], ".")) expression = member(rest, expression);
    else if (isSymbol(rest[0], "[")) expression = { kind: "index", target: expression, args: argumentsOf(rest, "]") };
    else return expression;
  }
}

function member(rest: Token[], target: Expression): Expression {
  rest.shift();
  const name = rest.shift();
  if (name?.kind !== "name") throw unexpected(name);
  if (isSymbol(rest[0], "(")) return { kind: "call", target, method: name.value, args: argumentsOf(rest, ")") };
  if (target.kind === "path") return { kind: "path", names: [...target.names, name.value] };
  throw new ExpressionFault(`the property ${name.value} of a value is outside the subset`);
}

function argumentsOf(rest: Token[], end: ")" | "]"): Expression[] {
  rest.shift();
  const args: Expression[] = [];
  while (!isSymbol(rest[0], end)) {
    if (args.length > 0) take(rest, ",");
    args.push(binary(rest, 0));
  }
  rest.shift();
  return args;
}

function primary(rest: Token[]): Expression {
  const token = rest.shift();
  if (token?.kind === "string" || token?.kind === "integer") return { kind: "literal", value: token.value };
  if (token?.kind === "name") {
    if (token.value === "new") return created(rest);
    const literal = literals.get(token.value);
    return literal === undefined ? { kind: "path", names: [token.value] } : { kind: "literal", value: literal };
  }
  if (!isSymbol(token, "(")) throw unexpected(token);
  const inner = binary(rest, 0);
  take(rest, ")");
  return inner;
}

function created(rest: Token[]): Expression {
  const name = rest.shift();
  if (name?.kind !== "name" || !isSymbol(rest[0], "(")) throw unexpected(name);
  return { kind: "new", name: name.value, args: argumentsOf(rest, ")") };
}

function take(rest: Token[], symbol: string): void {
  const token = rest.shift();
  if (!isSymbol(token, symbol)) throw unexpected(token);
}

const isSymbol = (token: Token | undefined, value: string) => token?.kind === "symbol" && token.value === value;

const unexpected = (token: Token | undefined) =>
  new ExpressionFault(token ? `did not expect ${JSON.stringify(token.value)} there` : "the expression ends too early");
