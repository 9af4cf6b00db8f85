import { describe, expect, it } from "vitest";
import { basicCredentials, hashPassword, newPassword, passwordHash } from "../../../shared/auth/basic-credentials.ts";

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
const password = newPassword();
const check = basicCredentials(new Map([["shop", hashPassword("shop", password)]]));

describe("Basic credentials", () => {
  it("let the right password in", () => {
    expect(check(basic(`shop:${password}`))).toBe("shop");
    expect(check(basic(`shop:${password}`).replace("Basic", "basic"))).toBe("shop");
  });

  it.each([
    ["nothing", null],
    ["another scheme", "Bearer abc"],
    ["no base64", "Basic !!!"],
    ["no colon", basic("shop")],
    ["a wrong password", basic(`shop:${newPassword()}`)],
    ["an empty password", basic("shop:")],
    ["an unknown user", basic(`shoq:${password}`)],
    ["the user's name in another case", basic(`Shop:${password}`)],
    ["the name of a member that every object has", basic(`constructor:${password}`)],
    ["the hash itself", basic(`shop:${hashPassword("shop", password)}`)],
  ])("turn %s away", (_, header) => {
    expect(check(header)).toBeUndefined();
  });

  it("are right after any number of wrong ones", () => {
    for (let i = 0; i < 100; i++) expect(check(basic(`shop:${newPassword()}`))).toBeUndefined();
    expect(check(basic(`shop:${password}`))).toBe("shop");
  });
});

describe("a password's hash", () => {
  it("is of its user, and does not hold the password", () => {
    const hash = hashPassword("shop", password);
    expect(hash).toMatch(passwordHash);
    expect(hash).not.toContain(password);
    expect(hashPassword("shoq", password)).not.toBe(hash);
  });

  it("is not made of a password that a person chose", () => {
    expect(() => hashPassword("shop", "Summer2026!")).toThrow("generated");
  });
});
