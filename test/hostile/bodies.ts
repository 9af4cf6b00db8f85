import { randomUUID } from "node:crypto";
import type { Random } from "../support/seeded-random.ts";
import type { Target } from "./operations.ts";
import { edgeValue, oddText } from "./values.ts";

/** A body, and its expected validity. */
export interface Body {
  readonly kind: string;
  readonly text: string | Buffer;
  /** Whether it violates the documents, so that the platform must refuse it too. */
  readonly isWrong: boolean;
}

type Member = Record<string, unknown>;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The example with new identifiers, so that no two requests are equal. The identifiers in `known` keep their value. */
export function rightBody({ body = {} }: Target, known: Readonly<Record<string, string>>): Member {
  const fresh = (value: unknown, name: string): unknown => {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fresh(member, key)]));
    }
    if (name === "email") return `${randomUUID()}@example.com`;
    return known[name] ?? (typeof value === "string" && uuid.test(value) ? randomUUID() : value);
  };
  return fresh(body, "") as Member;
}

/** A body for an operation: one to three fields with an edge value, one member too many or too few, or broken JSON. */
export function hostileBody(random: Random, target: Target, right: Member, marker: string): Body {
  if (random.chance(0.3)) return brokenJson(random, JSON.stringify({ [marker]: marker, ...right }), marker);
  const changed = structuredClone(right);
  const kind = random.pick("field", "field", "field", "missing", "invented");
  for (let i = random.between(1, 3); i > 0; i--) change(random, kind, target, changed, marker);
  return { kind: `body ${kind}`, text: JSON.stringify(changed), isWrong: !target.allows(changed) };
}

function change(random: Random, kind: string, { fields }: Target, body: Member, marker: string): void {
  const [first, ...others] = fields;
  if (!first) return;
  const { path, schema } = random.pick(first, ...others);
  let at = body;
  for (const name of path.slice(0, -1)) {
    const inner = at[name];
    if (typeof inner !== "object" || inner === null) at[name] = {};
    at = at[name] as Member;
  }
  const last = path.at(-1) ?? "";
  if (kind === "missing") delete at[last];
  else if (kind === "field") at[last] = edgeValue(random, schema, marker);
  else at[random.pick(marker, `${marker}.${last}`, oddText(random), `${last}\0`)] = edgeValue(random, schema, marker);
}

type Breaker = (random: Random, text: string, marker: string) => string | Buffer;

const anywhere = (random: Random, text: string, put: string) => {
  const at = random.between(0, text.length);
  return text.slice(0, at) + put + text.slice(at);
};
const inside = (text: string, member: string) => `${text.slice(0, -1)},${member}}`;

/** By kind: text that is not JSON of the platform, for any body. */
const breakers: Readonly<Record<string, Breaker>> = {
  truncated: (random, text) => text.slice(0, random.between(0, text.length - 1)),
  trailing: (random, text) => text + random.pick(",", "}", "x", "\0", "{}", "\u2028", "//x"),
  duplicated: (_, text, marker) => inside(text, `"${marker}":1,"${marker}":2`),
  "duplicated in escapes": (_, text) => inside(text, String.raw`"aa":1,"\u0061a":2`),
  deep: (random, text) => inside(text, `"d":${"[".repeat(random.between(100, 30_000))}`),
  "deep and closed": (random, text) => {
    const depth = random.between(100, 20_000);
    return inside(text, `"d":${"[".repeat(depth)}${"]".repeat(depth)}`);
  },
  "escaped quotes": (random) => `"${String.raw`\"`.repeat(random.between(1, 16_000))}`,
  "odd number": (random, text) =>
    inside(text, `"n":${random.pick("01", "+1", ".5", "1.", "1e", "0x10", "NaN", "Infinity", "--1")}`),
  "single quotes": (_, text) => text.replaceAll('"', "'"),
  comment: (_, text) => `/*x*/${text}`,
  "raw control": (random, text) => inside(text, `"c":"${random.pick("\0", "\n", "\t", "\u001f")}"`),
  "bad escape": (random, text) => inside(text, `"c":"${random.pick("\\x41", "\\u12", "\\u{41}", "\\'", "\\")}"`),
  "no UTF-8": (random, text) =>
    Buffer.concat([
      Buffer.from(text.slice(0, -1)),
      Buffer.from(',"c":"'),
      random.pick(
        Buffer.from([0xff]),
        Buffer.from([0xc0, 0x80]),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from([0xf5, 0x80, 0x80, 0x80]),
      ),
      Buffer.from('"}'),
    ]),
  "another encoding": (_, text) => Buffer.from(text, "utf16le"),
  "too large": (random, text, marker) =>
    inside(text, `"f":"${marker.repeat(Math.ceil(random.between(64 * 1024, 96 * 1024) / marker.length))}"`),
  "no object": (random, _, marker) => random.pick("null", "[]", "1", "true", `"${marker}"`, "[{}]", ""),
  "any byte": (random, text) => anywhere(random, text, random.pick("\0", "}", "{", '"', "\\", "\u00a0", ",", ":")),
};

function brokenJson(random: Random, text: string, marker: string): Body {
  const names = Object.keys(breakers);
  const kind = random.pick("truncated", ...names);
  const broken = breakers[kind]?.(random, text, marker) ?? "";
  return { kind: `json ${kind}`, text: broken, isWrong: kind !== "any byte" || !isJson(broken) };
}

function isJson(text: string | Buffer): boolean {
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
}
