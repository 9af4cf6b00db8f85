import { UNREADABLE_HEADER } from "../../expressions/unreadable-header.ts";
import type { DrawnContext } from "../csharp.ts";

/** Random numbers from a seed, from 0 to below 1 (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Random choices from a seed. */
export interface Draw {
  number(): number;
  below(limit: number): number;
  one<T>(choices: readonly T[]): T;
  is(probability: number): boolean;
}

export function draw(seed: number): Draw {
  const number = numbers(seed);
  const below = (limit: number) => Math.floor(number() * limit);
  return {
    number,
    below,
    is: (probability) => number() < probability,
    one: (choices) => {
      const chosen = choices[below(choices.length)];
      if (chosen === undefined) throw new Error("nothing to choose from");
      return chosen;
    },
  };
}

const names = ["a", "B", "x-name", "Content-Type", "Connection", "problemType", "retryAfter", "ä", ""] as const;
const texts = [
  "",
  "a",
  "A",
  "value",
  "application/json",
  "True",
  "7",
  " -65536\t",
  "2147483648",
  'a"b',
  "back\\slash",
  "tab\t",
  "\u0001",
  "\u0085",
  "\u2028x",
  "\u00e4\u20ac",
  "\ud83d\ude00",
  "</x>",
] as const;
const numbersOfInt = [0, 1, 7, 200, 401, 2_147_483_647] as const;

/** A random context. Parts of it may be missing, as before a response, without a subscription or without an error. */
export function drawContext(d: Draw): DrawnContext {
  const some = <T>(value: () => T): Readonly<Record<string, T>> =>
    Object.fromEntries(names.filter(() => d.is(0.5)).map((name) => [name, value()]));
  const list = () => Array.from({ length: 1 + d.below(2) }, () => d.one(texts));
  const perhaps = <T>(value: () => T): T | null => (d.is(0.7) ? value() : null);
  const hasOperation = d.is(0.8);
  return {
    requestId: `4b0dd5a4-6c0e-4d7e-8a55-2f8f2a1b9c1${d.below(10)}`,
    method: d.one(["GET", "POST"]),
    path: d.one([...texts, "/orders", "/ORDERS/a-1", "/orders/", "/orders/a/b"]),
    ipAddress: "127.0.0.1",
    headers: some(list),
    query: some(list),
    parameters: some(() => d.one(texts)),
    status: perhaps(() => d.one(numbersOfInt)),
    responseHeaders: some(list),
    lastError: perhaps(
      () => [d.one(["check-header", "rate-limit"]), d.one(["HeaderNotFound", "RateLimitExceeded"])] as const,
    ),
    subscriptionId: perhaps(() => d.one(texts)),
    apiId: hasOperation ? "partners" : null,
    operationId: hasOperation ? "pos-payment" : null,
    variables: some(() => drawVariable(d)),
  };
}

const drawVariable = (d: Draw) =>
  d.one([
    { type: "string", value: d.one(texts) },
    { type: "int", value: d.one(numbersOfInt) },
    { type: "bool", value: d.is(0.5) },
    { type: "guid", value: "4b0dd5a4-6c0e-4d7e-8a55-2f8f2a1b9c11" },
    { type: "null", value: null },
  ]);

type Kind = "string" | "int" | "bool" | "guid" | "object";
type Grow = (d: Draw, depth: number) => string;

/** An expression of a type, as an author would write it, sometimes with a type error. */
function grow(kind: Kind, d: Draw, depth: number): string {
  if (d.is(0.03)) return grow(d.one(["string", "int", "bool", "guid", "object"]), d, depth);
  const forms = depth <= 0 ? leaves[kind] : [...leaves[kind], ...branches[kind]];
  const grown = d.one(forms)(d, depth - 1);
  return d.is(0.15) ? `(${grown})` : grown;
}

const quoted = (text: string) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', String.raw`\"`)}"`;
const literal: Grow = (d) => quoted(d.one([...names, ...texts]));
const name: Grow = (d, depth) => (d.is(0.9) ? quoted(d.one(names)) : grow("string", d, depth));
const lookups = [
  "context.Request.Headers",
  "context.Request.Url.Query",
  "context.Request.MatchedParameters",
  "context.Response.Headers",
];
const variable =
  (kind: Kind): Grow =>
  (d, depth) =>
    `context.Variables.GetValueOrDefault(${name(d, depth)}, ${grow(kind, d, depth)})`;
const between =
  (kind: Kind, operators: readonly string[]): Grow =>
  (d, depth) =>
    `${grow(kind, d, depth)}${d.one([" ", "", "\n"])}${d.one(operators)} ${grow(kind, d, depth)}`;
const of =
  (kind: Kind, frame: (inner: string) => string): Grow =>
  (d, depth) =>
    frame(grow(kind, d, depth));

const leaves: Readonly<Record<Kind, readonly Grow[]>> = {
  string: [
    literal,
    (d) =>
      `context.${d.one(["Api.Id", "Operation.Id", "Subscription.Id", "Request.Method", "Request.IpAddress", "Request.OriginalUrl.Path", "LastError.Source", "LastError.Reason"])}`,
    (d) =>
      `${d.one(lookups)}.GetValueOrDefault(${quoted(d.one(names))}${d.is(0.8) ? `, ${quoted(d.one(texts))}` : ""})`,
    (d) => `context.Variables.GetValueOrDefault(${quoted(d.one(names))}, ${quoted(d.one(texts))})`,
    () => UNREADABLE_HEADER,
  ],
  int: [
    (d) => String(d.one([...numbersOfInt, 2_147_483_648])),
    () => "context.Response.StatusCode",
    (d) => `context.Variables.GetValueOrDefault(${quoted(d.one(names))}, ${d.one(numbersOfInt)})`,
  ],
  bool: [
    (d) => d.one(["true", "false"]),
    (d) => `context.Variables.ContainsKey(${quoted(d.one(names))})`,
    (d) => `context.Variables.GetValueOrDefault(${quoted(d.one(names))}, ${d.one(["true", "false"])})`,
  ],
  guid: [
    () => "context.RequestId",
    (d) => `context.Variables.GetValueOrDefault(${quoted(d.one(names))}, context.RequestId)`,
  ],
  object: [(d) => `context.Variables[${quoted(d.one(names))}]`],
};

const branches: Readonly<Record<Kind, readonly Grow[]>> = {
  string: [
    between("string", ["+", "+", "??"]),
    (d, depth) => `${grow("string", d, depth)} + ${grow(d.one(["int", "bool", "guid", "object"]), d, depth)}`,
    (d, depth) => `${grow(d.one(["int", "bool", "guid", "object"]), d, depth)} + ${grow("string", d, depth)}`,
    (d, depth) => `(${grow(d.one(["string", "int", "bool", "guid", "object"]), d, depth)}).ToString()`,
    (d, depth) => `Convert.ToString(${grow(d.one(["string", "int", "bool", "guid", "object"]), d, depth)})`,
    of("string", (inner) => `JsonConvert.SerializeObject(${inner})`),
    (d, depth) => `${d.one(lookups)}.GetValueOrDefault(${name(d, depth)}, ${grow("string", d, depth)})`,
    variable("string"),
    (d, depth) => String.raw`Regex.Replace(${grow("string", d, depth)}, "^(?:[^,]*,)+[ ]*|:[0-9]+$", "")`,
  ],
  int: [
    of("string", (inner) => `Convert.ToInt32(${inner})`),
    of("string", (inner) => `System.Text.Encoding.UTF8.GetByteCount(${inner})`),
    variable("int"),
    (d, depth) => `${grow("guid", d, depth)}.GetHashCode()`,
    (d, depth) => `new Random(${grow("int", d, depth)}).Next(${d.one(numbersOfInt)}, ${d.one(numbersOfInt)})`,
    (d, depth) => `(${grow("int", d, depth)})`,
  ],
  bool: [
    between("bool", ["&&", "||", "==", "!="]),
    between("int", ["==", "!=", "<", ">", "<=", ">="]),
    between("string", ["==", "!="]),
    () => String.raw`Regex.IsMatch(context.Request.OriginalUrl.Path, "(?i)^/(?:orders|Orders/[^/%#]+)$")`,
    between("guid", ["==", "!="]),
    (d, depth) => `${grow("string", d, depth)} ${d.one(["==", "!="])} null`,
    of("bool", (inner) => `!${inner}`),
    (d, depth) => `${grow("string", d, depth)}.Contains(${grow("string", d, depth)})`,
    (d, depth) => `context.Variables.ContainsKey(${name(d, depth)})`,
    variable("bool"),
  ],
  guid: [variable("guid")],
  object: [(d, depth) => `context.Variables[${name(d, depth)}]`],
};

const scraps = [
  '"',
  "\\",
  "(",
  ")",
  "[",
  "]",
  ".",
  ",",
  "+",
  "!",
  "&&",
  "||",
  "??",
  "?",
  "==",
  "=",
  "<",
  " ",
  "\n",
  "\u2028",
  "\u00a0",
  "\ufeff",
  "\u0085",
  "0",
  "1.5",
  "null",
  "true",
  "context",
  "@",
  "//",
  "/*",
  "#",
  "{",
  "}",
  ";",
  "'",
  "as",
  "is",
  "$",
] as const;

/** A random expression. One of four is damaged in one or two places. */
export function drawExpression(d: Draw): string {
  const grown = grow(d.one(["string", "bool", "bool", "int", "guid", "object"]), d, d.below(5));
  if (d.is(0.75)) return grown;
  const characters = Array.from(grown); // whole characters, because no file has half a character
  const at = d.below(characters.length + 1);
  characters.splice(at, d.below(3), ...(d.is(0.7) ? [d.one(scraps)] : []));
  return characters.join("") + (d.is(0.8) ? "" : d.one(scraps));
}
