import { randomUUID } from "node:crypto";
import type { Random } from "../support/seeded-random.ts";
import type { Schema } from "./operations.ts";

// Values that hostile callers put into fields.

/** Texts that are known to break parsers, stores, logs and pages. */
export const oddTexts: readonly string[] = [
  "\u2028", "\u2029", "\0", "\u0001", "\u001b[31m", "\u001c", "\u001f", "\v\f", "\u009b31m", "\u007f", "\u0085", "\ufeff", "\uffff", "\u{10ffff}",
  "\ud800", "\udfff", "\udc00\ud800", "\u202e\u2066\u2069", "e\u0301", "ﬃ", "İı", "👩‍👩‍👧", "\r\nSet-Cookie: a=b", "\t", " ",
  "<script>alert(1)</script>", "' OR 1=1 --", "${7*7}", "{{7*7}}", "../../etc/passwd", "%00", "%2e%2e%2f", "}\u2028x",
  "__proto__", "constructor", "null", "undefined", "NaN", "Infinity", "0", "-0", "1e400", "true",
]; // prettier-ignore

const oddNumbers: readonly unknown[] = [
  0, -0, -1, 0.001, 0.1 + 0.2, 1e-7, 1e21, 1e308, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 999_999_999_999.99,
]; // prettier-ignore

const otherKinds: readonly unknown[] = [null, true, false, [], {}, [[]], [null], { a: {} }, "", 0, "x"];

/** One URL for each way in which a webhook's address can mislead. */
const addresses: readonly string[] = [
  "http://localhost", "https://127.0.0.1/", "https://[::1]/", "https://0x7f.1/", "https://169.254.169.254/latest", "https://a@b.example/",
  "https://example.com:444/", "file:///etc/passwd", "https://example..com/", "https://x".padEnd(2_100, "x"), "//example.com",
]; // prettier-ignore

/** A value for a field with this schema: at an edge of the documented range, beyond it, of another type, or unusual in itself. */
export function edgeValue(random: Random, schema: Schema, marker: string): unknown {
  const kind = random.between(0, 9);
  if (kind === 0) return random.pick(null, ...otherKinds);
  if (kind === 1) return nested(random.between(1, 70));
  if (schema.type === "number" || schema.type === "integer") return numberFor(random, schema);
  if (schema.enum && kind < 6) return random.pick<unknown>(marker, ...schema.enum, "");
  return textFor(random, schema, marker);
}

function numberFor(random: Random, { minimum = 0, maximum = 1e12 }: Schema): unknown {
  const edges = [minimum - 1, minimum, minimum + 1, maximum - 1, maximum, maximum + 1, String(maximum), 1.005, 125.55];
  return random.pick<unknown>(125.5, ...edges, ...oddNumbers);
}

function textFor(random: Random, { format, maxLength = 64 }: Schema, marker: string): unknown {
  const odd = random.pick("x", ...oddTexts);
  if (format === "uri" && random.chance(0.7)) return random.pick("https://example.com/", ...addresses);
  const lengths = [maxLength - 1, maxLength, maxLength + 1, 0, 5_000];
  return random.pick<string>(
    randomUUID(),
    randomUUID().toUpperCase(),
    randomUUID().replaceAll("-", ""),
    `${marker}${odd}`,
    `${odd}${marker}`,
    odd.repeat(random.between(1, 60)),
    "å".repeat(random.pick(1, ...lengths)),
    marker,
  );
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

export const oddText = (random: Random): string => random.pick("x", ...oddTexts);
