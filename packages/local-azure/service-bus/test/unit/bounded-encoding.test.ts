import rhea, { type Message } from "rhea";
import { describe, expect, it } from "vitest";
import { endOfValue } from "../../bounded-encoding.ts";

const { types } = rhea;
const writer = types as unknown as { Writer: new () => { write(value: unknown): void; toBuffer(): Buffer } };

function encoded(value: unknown): Buffer {
  const { Writer } = writer;
  const output = new Writer();
  output.write(value);
  return output.toBuffer();
}

describe("the end of a value", () => {
  it.each([
    ["null", types.wrap(null)],
    ["a flag", types.wrap(true)],
    ["a number", types.wrap_long(2 ** 40)],
    ["a time", types.wrap_timestamp(0)],
    ["a uuid", types.wrap_uuid(Buffer.alloc(16))],
    ["a text", types.wrap("text")],
    ["a long text", types.wrap("x".repeat(300))],
    ["bytes", types.wrap(Buffer.alloc(10))],
    ["an empty list", types.wrap_list([])],
    ["lists in maps in lists", types.wrap_list([1, { a: [1, "b", { c: null }] }, []])],
    ["an array of numbers", types.wrap_array([1, 2, 3], 0x81, undefined)],
    ["an array of texts", types.wrap_array(["a", "b"], 0xa3, undefined)],
    ["a described value", types.described_nc(types.wrap_ulong(0x77) as never, types.wrap({ a: 1 }) as never)],
  ])("of %s is where the next one starts", (_, value) => {
    const bytes = encoded(value);
    expect(endOfValue(Buffer.concat([bytes, Buffer.from([0x43])]), 0)).toBe(bytes.length);
  });

  it("of each section of a message is where the next one starts", () => {
    const message: Message = {
      message_id: "m",
      durable: true,
      application_properties: { n: 7 },
      body: { deep: [[1]] },
    };
    const bytes = rhea.message.encode(message);
    let sections = 0;
    for (let position = 0; position < bytes.length; position = endOfValue(bytes, position)) sections++;
    expect(sections).toBe(4);
  });
});

const uint32 = (value: number): number[] => [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
const claimed = 2 ** 30;

describe("a value is refused", () => {
  it.each([
    ["an array of 2^30 nulls", [0xf0, ...uint32(5), ...uint32(claimed), 0x40]],
    ["a list of 2^30 values", [0xd0, ...uint32(5), ...uint32(claimed), 0x40]],
    ["a list whose size leads out of the bytes", [0xc0, 200, 1, 0x40]],
    ["a list that is shorter than its size", [0xc0, 3, 1, 0x40, 0x40]],
    ["a list that is longer than its size", [0xc0, 2, 2, 0x40, 0x40]],
    ["a text that is cut off", [0xa1, 5, 0x61]],
    ["a number that is cut off", [0x80, 0, 0]],
    ["a code that means nothing", [0x10]],
    ["nothing", []],
  ])("where it is %s", (_, bytes) => {
    expect(() => endOfValue(Buffer.from(bytes), 0)).toThrow(TypeError);
  });

  it.each([
    [
      "lists",
      Buffer.concat(
        Array.from({ length: 100 }, (_, i) =>
          Buffer.from([0xd0, ...uint32((99 - i) * 9 + 4), ...uint32(i < 99 ? 1 : 0)]),
        ),
      ),
    ],
    ["descriptors", Buffer.alloc(60_000)],
  ])("where %s are nested deeper than a stack bears", (_, bytes) => {
    expect(() => endOfValue(bytes, 0)).toThrow("nested too deep");
  });

  it("where arrays within an array multiply what each may claim", () => {
    const inner = [3, 200, 0x40]; // an array8 without its constructor: 200 nulls
    const arrays = Array.from({ length: 1_000 }, () => [2, 200, 0x40]).flat();
    const bytes = Buffer.from([
      0xf0,
      ...uint32(5 + arrays.length),
      ...uint32(arrays.length / inner.length),
      0xe0,
      ...arrays,
    ]);
    expect(() => endOfValue(bytes, 0)).toThrow("more values are claimed");
  });
});
