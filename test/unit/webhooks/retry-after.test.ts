import { expect, it } from "vitest";
import { readRetryAfter } from "../../../shared/adapters/webhooks/retry-after.ts";

const now = Date.parse("2026-11-21T10:00:00.000Z");

it.each([
  ["seconds", "120", 120],
  ["no wait", "0", 0],
  ["an HTTP date", "Sat, 21 Nov 2026 10:02:00 GMT", 120],
  ["the old HTTP date", "Saturday, 21-Nov-26 10:02:00 GMT", 120],
  ["a date that has passed", "Sat, 21 Nov 2026 09:00:00 GMT", 0],
])("understands %s", (_, header, seconds) => {
  expect(readRetryAfter(header, now)).toBe(seconds);
});

it.each([undefined, "", "soon", "-5", "1.5", "2026-11-21", "99999999999", "Someday, never GMT"])(
  "ignores %j",
  (header) => {
    expect(readRetryAfter(header, now)).toBeUndefined();
  },
);
