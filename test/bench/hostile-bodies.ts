import { endpoints } from "../../functions/endpoints.ts";
import { examples } from "../../infra/openapi/examples.ts";
import { readThrough } from "../../shared/http/read-through.ts";
import { parseStrictJson } from "../../shared/http/strict-json.ts";
import { defineBench } from "./bench.ts";
import { round } from "./statistics.ts";

// How long 64 KiB of each shape block the event loop while they are parsed and read through a schema. Each operation gets the shape alone
// and in place of each of its members. The slowest of each shape are printed.

const MAX_BYTES = 64 * 1024;
const TIMES = 9;

type Members = (i: number) => string;

/** As many parts as fit beside `taken` bytes. */
function filled(part: Members, open: string, close: string, taken: number): string {
  const parts: string[] = [];
  let bytes = taken + open.length + close.length;
  for (let i = 0; ; i++) {
    const next = part(i);
    bytes += Buffer.byteLength(next) + 1;
    if (bytes > MAX_BYTES) return `${open}${parts.join()}${close}`;
    parts.push(next);
  }
}

const name = (i: number) => i.toString(36);
const array = (part: Members) => (taken: number) => filled(part, "[", "]", taken);
const object = (part: Members) => (taken: number) => filled(part, "{", "}", taken);
const text = (part: string) => (taken: number) =>
  `"${part.repeat(Math.floor((MAX_BYTES - taken - 2) / Buffer.byteLength(part)))}"`;

const shapes: Readonly<Record<string, (taken: number) => string>> = {
  "escaped quotes": text(String.raw`\"`),
  "escaped quotes, open": (taken) => text(String.raw`\"`)(taken).slice(0, -1),
  "surrogates, escaped": text(String.raw`\ud83d\ude00`),
  surrogates: text("\u{1f600}"),
  "half surrogates": text(String.raw`\ud83d`),
  "arrays, nested": (taken) => "[".repeat(32_000 - taken) + "]".repeat(32_000 - taken),
  "arrays, nested as deep as is accepted": array(() => "[".repeat(24) + "]".repeat(24)),
  "empty arrays": array(() => "[]"),
  "empty objects": array(() => "{}"),
  "empty strings": array(() => '""'),
  "digits alone": array(() => "1"),
  "numbers with points": array(() => "0.10"),
  "numbers with exponents": array(() => "1e300"),
  "long numbers": array(() => "1.000000000000000"),
  nulls: array(() => "null"),
  "members that are numbers": object((i) => `"${name(i)}":1`),
  "members that are null": object((i) => `"${name(i)}":null`),
  "members of wrong kinds": object((i) => `"${name(i)}":${["[]", "{}", "null", '""'][i % 4]}`),
  "members that are arrays": object((i) => `"${name(i)}":[]`),
  "members with long names": object((i) => `"${name(i).padStart(65, "x")}":1`),
  "members whose names are escaped": object((i) => `"\\u0041${name(i)}":1`),
};

interface Timed {
  readonly where: string;
  readonly leastMs: number;
  readonly medianMs: number;
}

/** The least of several times is the cost of the work itself; the median includes the machine's other load. */
function timed(where: string, work: () => void): Timed {
  const times = Array.from({ length: TIMES }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  }).toSorted((a, b) => a - b);
  return { where, leastMs: times[0] ?? 0, medianMs: times[Math.floor(TIMES / 2)] ?? 0 };
}

/** Every member of an example, at any depth, by its path. */
const pathsOf = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...pathsOf(inner, [...path, key])])
    : [];

/** The example as JSON, with `json` in place of the member at the path. */
function withAt(example: unknown, path: readonly string[], json: string): string {
  const [first, ...rest] = path;
  if (first === undefined) return json;
  const members = Object.entries(example as object).map(
    ([key, value]) => `${JSON.stringify(key)}:${key === first ? withAt(value, rest, json) : JSON.stringify(value)}`,
  );
  return `{${members.join()}}`;
}

const bodies = endpoints.flatMap(({ contract: { name, body } }) => {
  const example = examples[name]?.body;
  if (!body) return [];
  return [[], ...pathsOf(example)].map((path) => ({ where: [name, ...path].join("."), body, example, path }));
});

/** The slowest of all operations and members for one shape. */
function slowestOf(make: (taken: number) => string): Timed {
  const results = bodies.map(({ where, body, example, path }) => {
    const sent = withAt(example, path, make(JSON.stringify(example).length));
    return timed(where, () => {
      try {
        readThrough(body.schema, parseStrictJson(sent));
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    });
  });
  const [slowest] = results.toSorted((a, b) => b.leastMs - a.leastMs);
  if (!slowest) throw new Error("no operation has a body");
  return slowest;
}

/** Bodies of 64 KiB that are slow to read. */
export const hostileBodies = defineBench({
  means: "how long 64 KiB of hostile shapes block the event loop while they are read",
  options: {},
  async run() {
    const results = Object.entries(shapes).map(([shape, make]) => ({ shape, ...slowestOf(make) }));
    return {
      tables: [
        {
          title: "The slowest operation of each shape, in milliseconds",
          columns: ["shape", "least", "median", "where"],
          rows: results.map(({ shape, leastMs, medianMs, where }) => [shape, round(leastMs), round(medianMs), where]),
        },
      ],
      figures: results,
    };
  },
});
