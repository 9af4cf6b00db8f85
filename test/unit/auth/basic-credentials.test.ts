import { describe, expect, it } from "vitest";
import { ok, refuse } from "../../../shared/domain/result.ts";
import {
  basicCredentials,
  hashPassword,
  newPassword,
  passwordHash,
} from "../../../shared/edge/auth/basic-credentials.ts";

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
const password = newPassword();
const check = basicCredentials(new Map([["shop", hashPassword("shop", password)]]));

describe("Basic credentials", () => {
  it("accept the right password", () => {
    expect(check(basic(`shop:${password}`))).toEqual(ok({ user: "shop" }));
    expect(check(basic(`shop:${password}`).replace("Basic", "basic"))).toEqual(ok({ user: "shop" }));
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
  ])("reject %s", (_, header) => {
    expect(check(header).ok).toBe(false);
  });

  it("are right after any number of wrong ones", () => {
    for (let i = 0; i < 100; i++) expect(check(basic(`shop:${newPassword()}`)).ok).toBe(false);
    expect(check(basic(`shop:${password}`)).ok).toBe(true);
  });

  it.each([
    ["a wrong password", `shop:${newPassword()}`, { refused: "wrong", claimedUser: "shop" }],
    ["an address in the user's place", `kim@customer.example:${password}`, { refused: "unknown" }],
    ["a password in the user's place", `${password}:shop`, { refused: "unknown" }],
  ])("add only an existing user to the log: %s", (_, text, line) => {
    expect(check(basic(text))).toEqual(refuse(line));
  });
});

describe("a password's hash", () => {
  it("depends on its user, and does not contain the password", () => {
    const hash = hashPassword("shop", password);
    expect(hash).toMatch(passwordHash);
    expect(hash).not.toContain(password);
    expect(hashPassword("shoq", password)).not.toBe(hash);
  });

  it("is not computed from a password that a person chose", () => {
    expect(() => hashPassword("shop", "Summer2026!")).toThrow("generated");
  });
});
