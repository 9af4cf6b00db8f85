import type { Value } from "../call.ts";
import { demand, type Compiled } from "./compiled.ts";
import type { Expression } from "./parser.ts";
import { ExpressionFault } from "./tokens.ts";

const LARGEST = 2_147_483_647;

/**
 * `new Random(seed).Next(least, limit)`: from `least` to below `limit`, which are literals. The same number as in .NET, whose generator of a
 * seed is Knuth's and never changes.
 */
export function drawn(seed: Compiled | undefined, bounds: readonly Expression[]): Compiled {
  const [least, limit] = bounds.map(literal);
  if (!seed || least === undefined || limit === undefined || bounds.length > 2 || least > limit)
    throw new ExpressionFault("new Random takes one seed, and Next two literals");
  demand(seed, "int", "new Random");
  const read: Compiled["read"] = (call) =>
    Math.trunc(firstOf(Number(seed.read(call))) * (1 / LARGEST) * (limit - least)) + least;
  return { type: "int", read };
}

const literal = (one: Expression): number | undefined =>
  one.kind === "literal" && typeof one.value === "number" ? one.value : undefined;

/** The first number of .NET's generator, below the largest integer of 32 bits. */
function firstOf(seed: number): number {
  const table = new Int32Array(56);
  const wrapped = (value: number) => (value < 0 ? value + LARGEST : value);
  let last = 161_803_398 - Math.min(Math.abs(seed), LARGEST);
  let next = 1;
  table[55] = last;
  for (let i = 1; i < 55; i++) {
    const at = (21 * i) % 55;
    table[at] = next;
    next = wrapped((last - next) | 0);
    last = table[at];
  }
  for (let round = 1; round < 5; round++)
    for (let i = 1; i < 56; i++) table[i] = wrapped(((table[i] ?? 0) - (table[1 + ((i + 30) % 55)] ?? 0)) | 0);
  return wrapped(((table[1] ?? 0) - (table[22] ?? 0)) | 0);
}

/** `GetHashCode` of an identifier, as .NET calculates it. */
export function hashOfGuid(value: Value): number {
  const bytes = Buffer.from(String(value).replaceAll("-", ""), "hex");
  const middle = (bytes.readUInt16BE(6) << 16) | bytes.readUInt16BE(4);
  return bytes.readInt32BE(0) ^ middle ^ bytes.readInt32LE(8) ^ bytes.readInt32LE(12);
}
