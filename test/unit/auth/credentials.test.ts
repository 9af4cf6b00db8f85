import { describe, expect, it } from "vitest";
import { hashKey, hashSecret, isKey, isSecret, parseKey } from "../../../shared/edge/auth/credentials.ts";

const peppers = { now: "a pepper of some length", before: "an older pepper of length" };

describe("a key", () => {
  it("is parsed into an identifier and a secret", () => {
    expect(parseKey("pk_abc_123", "pk")).toEqual({ keyId: "abc", secret: "123" });
  });

  it.each([
    null,
    "",
    "pk",
    "pk_abc",
    "pk__123",
    "pk_abc_",
    "tk_abc_123",
    "pk_abc_1_2",
    "pk_a/b_123",
    `pk_abc_${"x".repeat(129)}`,
  ])("is invalid in the form %s", (key) => {
    expect(parseKey(key, "pk")).toBeUndefined();
  });

  it.each(["now", "before"] as const)("is proven under the pepper it was stored with: %s", (pepperId) => {
    const stored = { hash: hashSecret("s3cret", peppers[pepperId]), pepperId };
    expect(isSecret("s3cret", stored, peppers)).toBe(true);
    expect(isSecret("s3crets", stored, peppers)).toBe(false);
  });

  it("proves nothing in another key's row, or in one that names another partner", () => {
    const owner = { keyId: "k1", partnerId: "p1" };
    const stored = { hash: hashKey("s3cret", peppers.now, owner), pepperId: "now" };
    expect(isKey("s3cret", stored, peppers, owner)).toBe(true);
    expect(isKey("s3cret", stored, peppers, { ...owner, keyId: "k2" })).toBe(false);
    expect(isKey("s3cret", stored, peppers, { ...owner, partnerId: "p2" })).toBe(false);
    expect(isKey("s3cret", stored, peppers, { keyId: "k1p", partnerId: "1" })).toBe(false);
  });

  it("proves nothing when it is unknown, its hash is malformed or its pepper is removed", () => {
    const hash = hashSecret("s3cret", peppers.now);
    expect(isSecret("s3cret", undefined, peppers)).toBe(false);
    expect(isSecret("s3cret", { hash: "", pepperId: "now" }, peppers)).toBe(false);
    expect(isSecret("s3cret", { hash, pepperId: "gone" }, peppers)).toBe(false);
    expect(isSecret("s3cret", { hash: hashSecret("s3cret", "nobody's"), pepperId: "gone" }, peppers)).toBe(false);
  });
});
