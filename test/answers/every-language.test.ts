import { beforeAll, describe, expect, it } from "vitest";
import { keptAnswers, type Received } from "../support/answers.ts";
import { strictReaders } from "../support/strict-readers.ts";

// Runs after the black-box tests. Programs in other languages read the responses and webhooks that these received.

const kept = keptAnswers().flatMap(({ operationId, status, received }) =>
  received ? [{ ...received, from: `${operationId} ${status}` }] : [],
);

const kinds: Readonly<Record<string, string>> = {
  "webhook none": "webhooks",
  "events 200": "pages of the feed",
  "pos-payments 200": "pages of the list",
  "next-message 200": "messages to terminals",
  "settlements 200": "settlements",
  "settlement-file 200": "settlement files",
};
const kindOf = (from: string): string => kinds[from] ?? (/ [45]\d\d$/.test(from) ? "problems" : "other objects");

it("the black-box tests received bodies of every kind", () => {
  const counts = new Map(
    [...Map.groupBy(kept, ({ from }) => kindOf(from))].map(([kind, { length }]) => [kind, length]),
  );
  console.log(`\nread in other languages: ${[...counts].map(([kind, count]) => `${count} ${kind}`).join(", ")}\n`);
  expect([...counts.keys()]).toEqual(expect.arrayContaining([...Object.values(kinds), "problems", "other objects"]));
});

const some = (wanted: string): Received => {
  const found = kept.find(({ from }) => from === wanted);
  if (!found) throw new Error(`The black-box tests received no ${wanted}.`);
  return found;
};
const json = some("pos-payment 200");
const csv = some("settlement-file 200");

const withBody = ({ headers, body }: Received, change: (bytes: Buffer) => Uint8Array): Received => ({
  headers,
  body: Buffer.from(change(Buffer.from(body, "base64"))).toString("base64"),
});
/** The payment with one more member. */
const withMember = (member: string | Buffer): Received =>
  withBody(json, (body) => Buffer.concat([Buffer.from("{"), Buffer.from(member), Buffer.from(","), body.subarray(1)]));
/** The settlement file with more at its end. */
const withEnd = (end: string | Buffer): Received => withBody(csv, (body) => Buffer.concat([body, Buffer.from(end)]));
const withHeader = (header: Readonly<Record<string, string>>): Received => ({
  ...json,
  headers: { ...json.headers, ...header },
});

/** Received bodies with one error each, and the complaint of both languages. */
const bad: readonly (readonly [string, Received, RegExp])[] = [
  ["a lone surrogate", withMember(String.raw`"a":[{"b":"\ud83d"}]`), /\.a\[0\]\.b.+surrogate/],
  ["a lone surrogate in a name", withMember(String.raw`"\ud83d":1`), /surrogate/],
  ["NUL", withMember(String.raw`"a":"\u0000"`), /\.a.+NUL/],
  ["bytes that are no UTF-8", withMember(Buffer.from('"a":"\u00e9"', "latin1")), /decode byte|translate bytes/],
  ["a byte-order mark", withBody(json, (body) => Buffer.concat([Buffer.from("\ufeff"), body])), /BOM|0xEF/],
  ["a repeated name", withMember('"currency":"SEK"'), /currency.* is repeated/],
  ["a name that is repeated in other characters", withMember(String.raw`"a":1,"\u0061":1`), /a.* is repeated/],
  ["NaN", withMember('"a":NaN'), /NaN|'N'/],
  ["a number that is too large", withMember('"a":1e400'), /1e400/],
  ["an object without its end", withBody(json, (body) => body.subarray(0, -1)), /JSON/],
  ["another charset", withHeader({ "content-type": "application/json; charset=iso-8859-1" }), /iso-8859-1/],
  ["a header that is not ASCII", withHeader({ "x-request-id": "\u00e9" }), /x-request-id/],
  ["a line of CSV with a column too few", withEnd("day,2026-11-21\r\n"), /2 columns/],
  ["a quote without its end in CSV", withEnd('"day'), /unexpected end|breaks at column 1/],
  ["text after a quote in CSV", withEnd('"day"s\r\n'), /expected after|breaks at column 1/],
  ["CSV in Latin-1", withEnd(Buffer.from("\u00e9", "latin1")), /decode byte|translate bytes/],
];

const good: readonly Received[] = [
  withMember(String.raw`"a":"\ud83d\ude00","b":0.1,"c":-1e21,"d":{"a":1}`),
  withBody(csv, () => Buffer.from('a,b\r\n"1\r\n,""2""",\r\n')),
];

for (const { name, isSkipped, read } of strictReaders) {
  describe.skipIf(isSkipped)(name, () => {
    let ofKept: readonly (string | null)[] = [];
    let ofGood = ofKept;
    let ofBad = ofKept;

    beforeAll(async () => {
      const complaints = await read([...kept, ...good, ...bad.map(([, received]) => received)]);
      ofKept = complaints.slice(0, kept.length);
      ofGood = complaints.slice(kept.length, -bad.length);
      ofBad = complaints.slice(-bad.length);
    });

    it("reads all that the black-box tests received", () => {
      expect(ofKept).toHaveLength(kept.length);
      const complaints = kept.flatMap(({ from, body }, i) =>
        ofKept[i] === null ? [] : [`${from}: ${ofKept[i]} in ${Buffer.from(body, "base64").toString().slice(0, 500)}`],
      );
      expect(complaints.slice(0, 10)).toEqual([]);
    });

    it("reads unusual JSON and CSV", () => {
      expect(ofGood).toEqual(good.map(() => null));
    });

    it.each(bad)("refuses %s", (...[what, , complaint]) => {
      expect(ofBad[bad.findIndex(([other]) => other === what)]).toMatch(complaint);
    });
  });
}
