import type { Call, Type, Value } from "../call.ts";
import { ExpressionFault } from "./tokens.ts";

/** A compiled expression and its type in C#. */
export interface Compiled {
  readonly type: Type;
  read(call: Call): Value;
}

export function typeOfLiteral(value: Value): Type {
  if (value === null) return "null";
  if (typeof value === "string") return "string";
  return typeof value === "number" ? "int" : "bool";
}

/** Throws if C# would reject the expression's type there. */
export function demand(compiled: Compiled, type: Type, where: string): void {
  if (compiled.type !== type) throw new ExpressionFault(`${where} needs ${type}, not ${compiled.type}`);
}

/** The value in .NET's format. */
export function toText(value: Value): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "True" : "False";
  return String(value);
}

/** The value, if there is one. Throws if C# would have a null reference. */
export function present(value: Value | undefined, path: string): Value {
  if (value === undefined) throw new EvaluationError(`nothing at ${path}`);
  return value;
}

/** Thrown if .NET would throw while a request runs, not while the policy is compiled. The policy with the expression then fails. */
export class EvaluationError extends Error {}
