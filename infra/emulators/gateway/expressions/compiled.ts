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

/** Throws for an expression whose type C# would refuse there. */
export function demand(compiled: Compiled, type: Type, where: string): void {
  if (compiled.type !== type) throw new ExpressionFault(`${where} needs ${type}, not ${compiled.type}`);
}

/** The value in .NET's format. */
export function toText(value: Value): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "True" : "False";
  return String(value);
}

/** Throws where C# would have a null reference. */
export function present(value: Value | undefined, path: string): Value {
  if (value === undefined) throw new EvaluationError(`nothing at ${path}`);
  return value;
}

/** Where .NET would throw: an error of a running request, not of the policy's compilation. The policy around it fails with it. */
export class EvaluationError extends Error {}
