import { describe, expect, it } from "vitest";
import { keyedCodes } from "../../../shared/codes/keyed-codes.ts";

const codes = keyedCodes("one key of some length, for a test");
const others = keyedCodes("another key of some length, for a test");

describe("codes under a key", () => {
  it("follow from the token alone, and differ between tokens and keys", () => {
    expect(codes.codeOf("t1")).toBe(codes.codeOf("t1"));
    expect(new Set([codes.codeOf("t1"), codes.codeOf("t2"), others.codeOf("t1")]).size).toBe(3);
  });

  it("are found by a key that stays the same however they are typed, and tells nothing of them", () => {
    const code = codes.codeOf("t1");
    const key = codes.keyOf(code);
    expect(codes.keyOf(code.toLowerCase().replaceAll("-", " "))).toBe(key);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(others.keyOf(code)).not.toBe(key);
    expect(codes.keyOf("0000-0000-0000-0001")).toBeUndefined();
  });

  it("know an address again in any case", () => {
    expect(codes.addressKey("Anna@Example.com")).toBe(codes.addressKey("anna@example.com"));
    expect(codes.addressKey("anna@example.com")).not.toBe(codes.addressKey("ann@example.com"));
    expect(others.addressKey("anna@example.com")).not.toBe(codes.addressKey("anna@example.com"));
  });
});
