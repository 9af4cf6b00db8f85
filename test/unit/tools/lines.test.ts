import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { linesOf } from "../../../infra/tools/lines.ts";

const text = "a\u2028\u2029\u0085\r\v\f\u001c\u001d\u001eé€😀\u0000b";

/** A stream of these bytes, one or more at a time. */
const streamOf = (bytes: Uint8Array, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size)),
  );

async function all(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const line of lines) found.push(line);
  return found;
}

it.each([1, 2, 3, 1_000])(
  "only a line feed ends a line, and no letter is cut where the stream is, after %i bytes",
  async (size) => {
    const lines = [text, "", text.repeat(9), text];
    const whole = new TextEncoder().encode(lines.join("\n"));
    expect(await all(linesOf(streamOf(whole, size)))).toEqual(lines);
    const ended = new TextEncoder().encode(`${lines.join("\n")}\n`);
    expect(await all(linesOf(streamOf(ended, size)))).toEqual(lines);
  },
);

it("leaves the rest of a stream to the next reader", async () => {
  const stream = streamOf(new TextEncoder().encode("one\ntwo\n"), 4);
  for await (const line of linesOf(stream)) if (line === "one") break;
  expect(await all(linesOf(stream))).toEqual(["two"]);
});
