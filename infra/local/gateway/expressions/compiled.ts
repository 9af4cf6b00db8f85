import { PolicyFailure, type Call, type Value } from "../call.ts";
import type { Type } from "./context.ts";
import { ExpressionFault } from "./tokens.ts";

/** An expression made ready to run, and what C# would hold its type to be. */
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

/** As .NET writes it. */
export function toText(value: Value): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "True" : "False";
  return String(value);
}

/** Throws where C# would meet a null reference. */
export function present(value: Value | undefined, path: string): Value {
  if (value === undefined) throw evaluationFailure(`nothing at ${path}`);
  return value;
}

/** What fails while a request runs, and not when the policy is compiled. */
export const evaluationFailure = (what: string) =>
  new PolicyFailure("expression", "ExpressionValueEvaluationFailure", 500, `Expression evaluation failed: ${what}.`);
