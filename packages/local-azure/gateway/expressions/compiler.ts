import { demand, present, typeOfLiteral, type Compiled } from "./compiled.ts";
import { properties, VARIABLES } from "./context.ts";
import {
  containsKey,
  converted,
  matched,
  removed,
  methods,
  serialized,
  toInteger,
  utf8Bytes,
  valueOrDefault,
  variableAt,
} from "./methods.ts";
import { operators } from "./operators.ts";
import { parseExpression, type Expression } from "./parser.ts";
import { drawn } from "./random.ts";
import { ExpressionFault } from "./tokens.ts";

/**
 * Compiles a single-statement expression of the subset. Throws `ExpressionFault` for anything else, and for types that C# would reject. The
 * subset has:
 *
 * - reads of `context`, with `GetValueOrDefault`, and `context.Variables` by `ContainsKey` and name;
 * - `Contains`, `ToString`, `Convert.ToString`, `Convert.ToInt32`, `Regex.IsMatch`, `Regex.Replace`, `JsonConvert.SerializeObject` of a string, and
 *   `System.Text.Encoding.UTF8.GetByteCount`;
 * - `new Random(seed).Next(least, limit)`, and `GetHashCode` of an identifier, which is a seed;
 * - `??`, comparison, `&& || !` and concatenation.
 */
export const compileExpression = (source: string): Compiled => compile(parseExpression(source));

function compile(expression: Expression): Compiled {
  switch (expression.kind) {
    case "literal":
      return { type: typeOfLiteral(expression.value), read: () => expression.value };
    case "path":
      return property(expression.names.join("."));
    case "not": {
      const operand = compile(expression.operand);
      demand(operand, "bool", "!");
      return { type: "bool", read: (call) => operand.read(call) !== true };
    }
    case "call":
      return methodCall(expression.target, expression.method, expression.args);
    case "new":
      throw new ExpressionFault(`new ${expression.name} is understood only with Next`);
    case "index":
      return indexed(expression.target, expression.args.map(compile));
    case "binary":
      return operators[expression.operator](compile(expression.left), compile(expression.right));
  }
}

function property(path: string): Compiled {
  const found = properties.get(path);
  if (!found) throw new ExpressionFault(`${path} is outside the subset`);
  return { type: found.type, read: (call) => present(found.read(call), path) };
}

function methodCall(target: Expression, method: string, sources: readonly Expression[]): Compiled {
  if (target.kind === "new") return ofNew(target, method, sources);
  const args = sources.map(compile);
  const path = target.kind === "path" ? target.names.join(".") : undefined;
  if (method === "GetValueOrDefault" && path !== undefined) return valueOrDefault(path, args);
  const ofOneName = statics.get(`${path}.${method}`);
  if (ofOneName) return ofOneName(args, sources);
  const on = compile(target);
  const called = methods.get(method)?.(on, args);
  if (!called) throw new ExpressionFault(`${method} with these arguments is outside the subset`);
  return called;
}

function ofNew(
  { name, args }: Extract<Expression, { kind: "new" }>,
  method: string,
  sources: readonly Expression[],
): Compiled {
  const [seed, ...others] = args.map(compile);
  if (name !== "Random" || method !== "Next" || others.length > 0)
    throw new ExpressionFault(`${method} of a new ${name} with these arguments is outside the subset`);
  return drawn(seed, sources);
}

/** The static methods, by their C# names. */
const statics = new Map<string, (args: readonly Compiled[], sources: readonly Expression[]) => Compiled>([
  ["Convert.ToInt32", toInteger],
  ["Convert.ToString", converted],
  ["JsonConvert.SerializeObject", serialized],
  ["Regex.IsMatch", matched],
  ["Regex.Replace", removed],
  ["System.Text.Encoding.UTF8.GetByteCount", utf8Bytes],
  [`${VARIABLES}.ContainsKey`, containsKey],
]);

function indexed(target: Expression, args: readonly Compiled[]): Compiled {
  if (target.kind === "path" && target.names.join(".") === VARIABLES) return variableAt(args);
  throw new ExpressionFault(`an index is understood for ${VARIABLES} alone`);
}
