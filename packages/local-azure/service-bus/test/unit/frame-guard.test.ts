import { describe, expect, it } from "vitest";
import { FrameGuard } from "../../frame-guard.ts";

const header = (protocol: number): Buffer => Buffer.from([0x41, 0x4d, 0x51, 0x50, protocol, 1, 0, 0]);
const amqp = header(0);
const sasl = header(3);
const frame = (...content: number[]): Buffer => Buffer.from([0, 0, 0, 8 + content.length, 2, 0, 0, 0, ...content]);
const empty = frame();
const good = frame(0x00, 0x53, 0x10, 0x45);
const bad = frame(0x00, 0x53, 0x10, 0xc0, 9, 9);

const passedBy = (guard: FrameGuard, read: Buffer): string => guard.take(read).passed.toString("hex");

describe("a guard", () => {
  it("lets whole frames through, however the bytes are cut into reads", () => {
    const bytes = Buffer.concat([sasl, good, amqp, good, empty, good]);
    for (let size = 1; size <= bytes.length; size++) {
      const guard = new FrameGuard(100);
      let passed = "";
      for (let start = 0; start < bytes.length; start += size) {
        passed += passedBy(guard, bytes.subarray(start, start + size));
      }
      expect(passed).toBe(bytes.toString("hex"));
    }
  });

  it("keeps back a frame until it is complete", () => {
    const guard = new FrameGuard(100);
    expect(passedBy(guard, Buffer.concat([amqp, good.subarray(0, 9)]))).toBe(amqp.toString("hex"));
    expect(passedBy(guard, good.subarray(9))).toBe(good.toString("hex"));
  });

  it("lets through what stands before a frame that it refuses", () => {
    const { passed, refusal } = new FrameGuard(100).take(Buffer.concat([amqp, good, bad, good]));
    expect(passed).toEqual(Buffer.concat([amqp, good]));
    expect(refusal).toBeInstanceOf(TypeError);
  });

  it.each([
    ["larger than it may be, before it has come", Buffer.from([0, 0, 1, 0])],
    ["shorter than its own head", Buffer.from([0, 0, 0, 7, 2, 0, 0])],
    ["one whose data starts behind its end", Buffer.from([0, 0, 0, 8, 3, 0, 0, 0])],
    ["one whose data starts within its head", Buffer.from([0, 0, 0, 8, 1, 0, 0, 0])],
    ["a second header of AMQP", amqp],
    ["a header of SASL after AMQP", sasl],
  ])("refuses a frame that is %s", (_, bytes) => {
    expect(new FrameGuard(100).take(Buffer.concat([amqp, bytes])).refusal).toBeInstanceOf(TypeError);
  });

  it("refuses SASL twice", () => {
    expect(new FrameGuard(100).take(Buffer.concat([sasl, sasl])).refusal).toBeInstanceOf(TypeError);
  });
});
