import type { Call, Type, Value, Variable } from "../call.ts";
import { demand, EvaluationError, present, toText, type Compiled } from "./compiled.ts";
import { dictionaries, VARIABLES } from "./context.ts";
import type { Expression } from "./parser.ts";
import { hashOfGuid } from "./random.ts";
import { ExpressionFault } from "./tokens.ts";

/** Returns undefined if the method does not accept these arguments, or if values of this type do not have it. */
type Method = (on: Compiled, args: readonly Compiled[]) => Compiled | undefined;

/** The methods of values. Any expression may produce the value. */
export const methods: ReadonlyMap<string, Method> = new Map([
  ["ToString", asString],
  ["Contains", contains],
  ["GetHashCode", hashCode],
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

/** `GetHashCode` of an identifier. Other types have no lasting one. */
function hashCode(on: Compiled, args: readonly Compiled[]): Compiled | undefined {
  if (args.length > 0 || on.type !== "guid") return undefined;
  return { type: "int", read: (call) => hashOfGuid(on.read(call)) };
}

/** The value's text. A method on null, or with null as an argument, fails as in C#. */
const textOf = (compiled: Compiled, call: Call, method: string): string =>
  toText(present(compiled.read(call) ?? undefined, method));

/** `GetValueOrDefault` of a dictionary in the context. C# evaluates the default before it looks. */
export function valueOrDefault(path: string, args: readonly Compiled[]): Compiled {
  const [name, fallback] = args;
  if (name?.type !== "string" || args.length > 2)
    throw new ExpressionFault("GetValueOrDefault takes a name and a default");
  if (path === VARIABLES) return variableOrDefault(name, fallback);
  const dictionary = dictionaries.get(path);
  if (!dictionary) throw new ExpressionFault(`${path}.GetValueOrDefault is outside the subset`);
  if (fallback) demand(fallback, "string", "GetValueOrDefault");
  const read = (call: Call): Value => {
    const key = keyOf(name, call);
    const standard = fallback?.read(call) ?? null;
    return present(dictionary(call, key), path) ?? standard;
  };
  return { type: "string", read };
}

/** C# infers the variable's type from the default, and fails if the variable has another type. */
function variableOrDefault(name: Compiled, fallback: Compiled | undefined): Compiled {
  if (!fallback || fallback.type === "null" || fallback.type === "object")
    throw new ExpressionFault(`${VARIABLES}.GetValueOrDefault needs a default of a known type`);
  const { type } = fallback;
  const read = (call: Call): Value => {
    const key = keyOf(name, call);
    const standard = fallback.read(call);
    const variable = call.variables.get(key);
    return variable === undefined ? standard : unboxed(variable, type);
  };
  return { type, read };
}

/** Casts a variable. Null is valid only as a string. */
function unboxed({ type, value }: Variable, wanted: Type): Value {
  if (value === null && wanted === "string") return null;
  if (value === null || type !== wanted) throw new EvaluationError("a variable of another type");
  return value;
}

/** `context.Variables.ContainsKey`. */
export function containsKey(args: readonly Compiled[]): Compiled {
  const name = onlyName(args, "ContainsKey");
  return { type: "bool", read: (call) => call.variables.has(keyOf(name, call)) };
}

/** `context.Variables["name"]`. It fails if there is no such variable. */
export function variableAt(args: readonly Compiled[]): Compiled {
  const name = onlyName(args, VARIABLES);
  return { type: "object", read: (call) => present(call.variables.get(keyOf(name, call))?.value, VARIABLES) };
}

/** `Convert.ToString`. It returns an empty text for null, but null for a string that is null. */
export function converted(args: readonly Compiled[]): Compiled {
  const [value] = args;
  if (!value || args.length > 1 || value.type === "null") throw new ExpressionFault("Convert.ToString takes one value");
  if (value.type === "string") return value;
  return { type: "string", read: (call) => toText(value.read(call)) };
}

/** `Convert.ToInt32` of a text. Null is zero. Any text that is not an integer of 32 bits fails. */
export function toInteger(args: readonly Compiled[]): Compiled {
  const [value] = args;
  if (!value || args.length > 1) throw new ExpressionFault("Convert.ToInt32 takes one value");
  demand(value, "string", "Convert.ToInt32");
  return {
    type: "int",
    read: (call) => {
      const text = value.read(call);
      const number = text === null ? 0 : Number(text);
      const isInteger = text === null || /^[\t-\r ]*[+-]?\d+[\t-\r ]*$/.test(toText(text));
      if (!isInteger || number !== (number | 0)) throw new EvaluationError("a text that is no integer of 32 bits");
      return number | 0;
    },
  };
}

/** `JsonConvert.SerializeObject`. It escapes three line ends that JSON does not escape. */
export function serialized(args: readonly Compiled[]): Compiled {
  const [value] = args;
  if (!value || args.length > 1) throw new ExpressionFault("SerializeObject takes one value");
  demand(value, "string", "SerializeObject");
  return {
    type: "string",
    read: (call) => JSON.stringify(value.read(call)).replaceAll(/[\u0085\u2028\u2029]/g, escaped),
  };
}

/** `System.Text.Encoding.UTF8.GetByteCount` of a text. Null fails. */
export function utf8Bytes(args: readonly Compiled[]): Compiled {
  const [text] = args;
  if (!text || args.length > 1) throw new ExpressionFault("GetByteCount takes one text");
  demand(text, "string", "GetByteCount");
  return { type: "int", read: (call) => Buffer.byteLength(textOf(text, call, "GetByteCount")) };
}

/** The supported patterns: letters, digits, ` `, `,`, `-`, `/`, alternatives, `*`, and names in a path. JavaScript and C# read them in the same way. */
const PATTERN = /^\(\?i\)\^(?:[\w ,/|*-]|\(\?:|\)|\[\^\/%#\]\+)+\$$/;

/** `Regex.IsMatch` of a text and a pattern, which is a literal that begins with `(?i)^` and ends with `$`. */
export function matched(args: readonly Compiled[], sources: readonly Expression[]): Compiled {
  const [text] = args;
  const [, pattern] = sources;
  if (!text || args.length !== 2 || pattern?.kind !== "literal" || !PATTERN.test(String(pattern.value)))
    throw new ExpressionFault("Regex.IsMatch takes a text and a pattern of the subset");
  demand(text, "string", "Regex.IsMatch");
  const expression = new RegExp(String(pattern.value).slice("(?i)".length), "i");
  return { type: "bool", read: (call) => expression.test(textOf(text, call, "Regex.IsMatch")) };
}

/** Supported patterns, as JavaScript has them: what comes before the last comma, and a port at the end. C# ends before a last line feed. */
const REMOVED = new Map([["^(?:[^,]*,)+[ ]*|:[0-9]+$", /^(?:[^,]*,)+[ ]*|:[0-9]+(?=\n?$)/g]]);

/** `Regex.Replace` of a text, by a pattern of the subset, with nothing. */
export function removed(args: readonly Compiled[], sources: readonly Expression[]): Compiled {
  const [text] = args;
  const [, pattern, by] = sources.map((source) => (source.kind === "literal" ? source.value : undefined));
  const expression = REMOVED.get(String(pattern));
  if (!text || args.length !== 3 || !expression || by !== "")
    throw new ExpressionFault("Regex.Replace takes a text, a pattern of the subset, and an empty text");
  demand(text, "string", "Regex.Replace");
  return { type: "string", read: (call) => textOf(text, call, "Regex.Replace").replaceAll(expression, "") };
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

function onlyName(args: readonly Compiled[], where: string): Compiled {
  const [name] = args;
  if (name?.type !== "string" || args.length > 1) throw new ExpressionFault(`${where} takes a name`);
  return name;
}

/** The name as a key. Throws for null, which no dictionary has as a key. */
function keyOf(name: Compiled, call: Call): string {
  const key = name.read(call);
  if (key === null) throw new EvaluationError("a name that is null");
  return toText(key);
}
