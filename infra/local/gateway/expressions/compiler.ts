import { PolicyFailure, type Call, type Value } from "../call.ts";
import { dictionaries, properties, VARIABLES, type Type } from "./context.ts";
import { parseExpression, type BinaryOperator, type Expression } from "./parser.ts";
import { ExpressionFault } from "./tokens.ts";

/** An expression made ready to run, and what C# would hold its type to be. */
export interface Compiled {
  readonly type: Type;
  read(call: Call): Value;
}

/**
 * Compiles a single-statement expression of the subset: reads of `context`, `GetValueOrDefault`, `Contains`, `ToString`,
 * `JsonConvert.SerializeObject` of a string, `??`, comparison, `&& || !` and concatenation. Throws `ExpressionFault` for
 * anything else, and for types that C# would refuse.
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
      return methodCall(expression.target, expression.method, expression.args.map(compile));
    case "binary":
      return binary(expression.operator, compile(expression.left), compile(expression.right));
  }
}

function typeOfLiteral(value: Value): Type {
  if (value === null) return "null";
  if (typeof value === "string") return "string";
  return typeof value === "number" ? "int" : "bool";
}

function property(path: string): Compiled {
  const found = properties.get(path);
  if (!found) throw new ExpressionFault(`${path} is outside the subset`);
  return { type: found.type, read: (call) => present(found.read(call), path) };
}

function methodCall(target: Expression, method: string, args: readonly Compiled[]): Compiled {
  const path = target.kind === "path" ? target.names.join(".") : undefined;
  if (method === "GetValueOrDefault" && path !== undefined) return valueOrDefault(path, args);
  if (method === "SerializeObject" && path === "JsonConvert") return serialized(args);
  const on = compile(target);
  if (method === "ToString" && args.length === 0 && on.type !== "null") {
    return { type: "string", read: (call) => toText(present(on.read(call) ?? undefined, "ToString")) };
  }
  const [part] = args;
  if (method === "Contains" && args.length === 1 && on.type === "string" && part?.type === "string") {
    const text = (compiled: Compiled, call: Call) => toText(present(compiled.read(call) ?? undefined, "Contains"));
    return { type: "bool", read: (call) => text(on, call).includes(text(part, call)) };
  }
  throw new ExpressionFault(`${method} with these arguments is outside the subset`);
}

function valueOrDefault(path: string, args: readonly Compiled[]): Compiled {
  const [name, fallback] = args;
  if (name?.type !== "string" || args.length > 2)
    throw new ExpressionFault("GetValueOrDefault takes a name and a default");
  if (path === VARIABLES) return variable(name, fallback);
  const dictionary = dictionaries.get(path);
  if (!dictionary) throw new ExpressionFault(`${path}.GetValueOrDefault is outside the subset`);
  if (fallback) demand(fallback, "string", "GetValueOrDefault");
  const read = (call: Call) => present(dictionary(call, toText(name.read(call))), path);
  return { type: "string", read: (call) => read(call) ?? fallback?.read(call) ?? null };
}

/** C# infers the variable's type from the default, and fails where the variable turns out to have another. */
function variable(name: Compiled, fallback: Compiled | undefined): Compiled {
  if (!fallback || fallback.type === "null")
    throw new ExpressionFault(`${VARIABLES}.GetValueOrDefault needs a default`);
  const { type } = fallback;
  const read = (call: Call): Value => {
    const value = call.variables.get(toText(name.read(call)));
    if (value === undefined) return fallback.read(call);
    if (value !== null && typeOfLiteral(value) !== type) throw evaluationFailure("a variable of another type");
    return value;
  };
  return { type, read };
}

function serialized(args: readonly Compiled[]): Compiled {
  const [value] = args;
  if (!value || args.length > 1) throw new ExpressionFault("SerializeObject takes one value");
  demand(value, "string", "SerializeObject");
  return { type: "string", read: (call) => JSON.stringify(value.read(call)) };
}

function binary(operator: BinaryOperator, left: Compiled, right: Compiled): Compiled {
  switch (operator) {
    case "??":
      demand(left, "string", operator);
      demand(right, "string", operator);
      return { type: "string", read: (call) => left.read(call) ?? right.read(call) };
    case "||":
    case "&&": {
      demand(left, "bool", operator);
      demand(right, "bool", operator);
      const stops = operator === "||";
      return { type: "bool", read: (call) => ((left.read(call) === true) === stops ? stops : right.read(call)) };
    }
    case "==":
    case "!=": {
      const comparable = left.type === right.type || [left.type, right.type].toSorted().join() === "null,string";
      if (!comparable) throw new ExpressionFault(`${left.type} ${operator} ${right.type} does not compile in C#`);
      const wanted = operator === "==";
      return { type: "bool", read: (call) => (left.read(call) === right.read(call)) === wanted };
    }
    case "<":
    case ">":
    case "<=":
    case ">=": {
      demand(left, "int", operator);
      demand(right, "int", operator);
      const holds = comparisons[operator];
      return { type: "bool", read: (call) => holds(Number(left.read(call)), Number(right.read(call))) };
    }
    case "+":
      if (left.type !== "string" && right.type !== "string") {
        throw new ExpressionFault("+ is for strings: arithmetic is outside the subset");
      }
      return { type: "string", read: (call) => toText(left.read(call)) + toText(right.read(call)) };
  }
}

const comparisons = {
  "<": (a: number, b: number) => a < b,
  ">": (a: number, b: number) => a > b,
  "<=": (a: number, b: number) => a <= b,
  ">=": (a: number, b: number) => a >= b,
};

function demand(compiled: Compiled, type: Type, where: string): void {
  if (compiled.type !== type) throw new ExpressionFault(`${where} needs ${type}, not ${compiled.type}`);
}

/** As .NET writes it. */
function toText(value: Value): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "True" : "False";
  return String(value);
}

function present(value: Value | undefined, path: string): Value {
  if (value === undefined) throw evaluationFailure(`nothing at ${path}`);
  return value;
}

const evaluationFailure = (what: string) =>
  new PolicyFailure("expression", "ExpressionValueEvaluationFailure", 500, `Expression evaluation failed: ${what}.`);
