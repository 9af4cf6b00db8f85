import { describe, expect, it } from "vitest";
import { keyedCodes } from "../../../shared/adapters/codes/keyed-codes.ts";

const keys = { k1: "one key of some length, for a test" };
const codes = keyedCodes(keys);
const others = keyedCodes({ k1: "another key of some length, for a test" });
const rotated = keyedCodes({ k2: "a newer key of some length, for a test", ...keys });

describe("codes under a key", () => {
  it("depend only on the token, and differ between tokens and keys", () => {
    expect(codes.codeOf("t1", "k1")).toBe(codes.codeOf("t1", "k1"));
    const all = [codes.codeOf("t1", "k1"), codes.codeOf("t2", "k1"), others.codeOf("t1", "k1")];
    expect(new Set(all).size).toBe(3);
  });

  it("are found by a hash that is the same however they are typed, and reveals nothing of them", () => {
    const code = codes.codeOf("t1", "k1");
    const [hash] = codes.hashesOf(code) ?? [];
    expect(codes.newCodeOf("t1")).toEqual({ codeKeyId: "k1", codeHash: hash });
    expect(codes.hashesOf(code.toLowerCase().replaceAll("-", " "))).toEqual([hash]);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(others.hashesOf(code)).not.toContain(hash);
    expect(codes.hashesOf("0000-0000-0000-0001")).toBeUndefined();
  });

  it("recognize an address in any case", () => {
    expect(codes.addressKeys("Anna@Example.com")).toEqual(codes.addressKeys("anna@example.com"));
    expect(codes.addressKeys("anna@example.com")).not.toEqual(codes.addressKeys("ann@example.com"));
    expect(others.addressKeys("anna@example.com")).not.toEqual(codes.addressKeys("anna@example.com"));
  });
});

describe("codes under several keys", () => {
  it("are made by the first", () => {
    expect(rotated.newCodeOf("t1").codeKeyId).toBe("k2");
    expect(rotated.codeOf("t1", "k2")).not.toBe(codes.codeOf("t1", "k1"));
  });

  it("stay unchanged under an older key, and are found by it after the first", () => {
    const code = codes.codeOf("t1", "k1");
    expect(rotated.codeOf("t1", "k1")).toBe(code);
    const [byFirst, byOlder, ...more] = rotated.hashesOf(code) ?? [];
    expect(byOlder).toBe(codes.newCodeOf("t1").codeHash);
    expect(byFirst).not.toBe(byOlder);
    expect(more).toEqual([]);
  });

  it("recognize an address by each key, the first key first", () => {
    const [first, ...older] = rotated.addressKeys("anna@example.com");
    expect(older).toEqual([...codes.addressKeys("anna@example.com")]);
    expect(older).not.toContain(first);
  });

  it("need a key: without one, or with a removed one, they throw errors that hold no secret", () => {
    expect(() => keyedCodes({})).toThrow("no code key is configured");
    expect(() => rotated.codeOf("t1", "k0")).toThrow("the settings lack the code key k0");
  });
});
