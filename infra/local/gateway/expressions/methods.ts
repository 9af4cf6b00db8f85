import type { Call, Value } from "../call.ts";
import { demand, evaluationFailure, present, toText, typeOfLiteral, type Compiled } from "./compiled.ts";
import { dictionaries, VARIABLES } from "./context.ts";
import { ExpressionFault } from "./tokens.ts";

/** Undefined where the method does not take these arguments, or no value of this type has it. */
type Method = (on: Compiled, args: readonly Compiled[]) => Compiled | undefined;

/** The methods of values, for every expression that yields the value. */
export const methods: ReadonlyMap<string, Method> = new Map([
  ["ToString", asString],
  ["Contains", contains],
]);

function asString(on: Compiled, args: readonly Compiled[]): Compiled | undefined {
  if (args.length > 0 || on.type === "null") return undefined;
  return { type: "string", read: (call) => textOf(on, call, "ToString") };
}

function contains(on: Compiled, args: readonly Compiled[]): Compiled | undefined {
  const [part, ...others] = args;
  if (on.type !== "string" || part?.type !== "string" || others.length > 0) return undefined;
  return { type: "bool", read: (call) => textOf(on, call, "Contains").includes(textOf(part, call, "Contains")) };
}

/** The value's text. A method of null, or with null, fails as in C#. */
const textOf = (compiled: Compiled, call: Call, method: string): string =>
  toText(present(compiled.read(call) ?? undefined, method));

/** `GetValueOrDefault` of a dictionary in the context. */
export function valueOrDefault(path: string, args: readonly Compiled[]): Compiled {
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

/** C# infers the variable's type from the default, and fails where the variable has another type. */
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

/** `JsonConvert.SerializeObject`. */
export function serialized(args: readonly Compiled[]): Compiled {
  const [value] = args;
  if (!value || args.length > 1) throw new ExpressionFault("SerializeObject takes one value");
  demand(value, "string", "SerializeObject");
  return { type: "string", read: (call) => JSON.stringify(value.read(call)) };
}
