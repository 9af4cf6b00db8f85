import type { Call, Type, Variable } from "./call.ts";
import type { Compiled } from "./expressions/compiled.ts";
import { compileExpression } from "./expressions/compiler.ts";
import { ExpressionFault } from "./expressions/tokens.ts";
import { PolicyFault, type Place } from "./policy-fault.ts";

/** An attribute or text that may be one expression, compiled to text. Throws `PolicyFault`. */
export function compileText(source: string, place: Place): (call: Call) => string {
  if (!source.startsWith("@")) return () => source;
  const { read } = compileTyped(source, place, "string");
  return (call) => String(read(call) ?? "");
}

/** An expression or constant with the value true or false. */
export function compileCondition(source: string, place: Place): (call: Call) => boolean {
  if (source === "true" || source === "false") return () => source === "true";
  const { read } = compileTyped(source, place, "bool");
  return (call) => read(call) === true;
}

/** Constant text, or an expression of any type except `object`, because an object's actual type is not known here. */
export function compileValue(source: string, place: Place): (call: Call) => Variable {
  if (!source.startsWith("@")) return () => ({ type: "string", value: source });
  const { type, read } = compileTyped(source, place, undefined);
  if (type === "object") throw new PolicyFault(place, `a variable cannot be stored as it is, in ${source}`);
  return (call) => {
    const value = read(call);
    return { type: value === null ? "null" : type, value };
  };
}

function compileTyped(source: string, place: Place, type: Type | undefined): Compiled {
  if (source.startsWith("@{")) throw new PolicyFault(place, "statement blocks, @{…}, are outside the subset.");
  if (!source.startsWith("@(") || !source.endsWith(")")) throw new PolicyFault(place, `@(…) was expected: ${source}`);
  try {
    const compiled = compileExpression(source.slice(2, -1));
    if (type === undefined || compiled.type === type) return compiled;
    throw new ExpressionFault(`${type} is needed here, and the expression yields ${compiled.type}`);
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    throw new PolicyFault(place, `${error.message}, in ${source}`);
  }
}
