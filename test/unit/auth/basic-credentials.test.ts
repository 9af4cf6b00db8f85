import { beforeAll, describe, expect, it } from "vitest";
import { basicCredentials, hashPassword, passwordHash } from "../../../shared/auth/basic-credentials.ts";

const clock = { now: () => "2026-11-21T10:00:00.000Z", sleep: async () => {} };
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
let hash: string;
beforeAll(async () => {
  hash = await hashPassword("päss:word");
});

// Each derives keys for a good part of a second, in threads of Node's own: all at once.
describe.concurrent("Basic credentials", () => {
  const check = (header: string | null) => basicCredentials(new Map([["shop", hash]]), clock)(header);

  it("let the right password in, with whatever characters and colons", async () => {
    expect(await check(basic("shop:päss:word"))).toBe(true);
    expect(await check(basic("shop:päss:word").replace("Basic", "basic"))).toBe(true);
  });

  it.each([
    ["nothing", null],
    ["another scheme", "Bearer abc"],
    ["no base64", "Basic !!!"],
    ["no colon", basic("shop")],
    ["a wrong password", basic("shop:other")],
    ["an empty password", basic("shop:")],
    ["an unknown user", basic("shoq:päss:word")],
    ["the user's name in another case", basic("Shop:päss:word")],
    ["the name of a member that every object has", basic("constructor:x")],
    ["the hash itself", basic("shop:scrypt")],
  ])("turn %s away", async (_, header) => {
    expect(await check(header)).toBe(false);
  });

  it("are remembered for a minute, and not longer", async () => {
    let now = clock.now();
    const users = new Map([["shop", hash]]);
    const remembering = basicCredentials(users, { ...clock, now: () => now });
    expect(await remembering(basic("shop:päss:word"))).toBe(true);
    users.delete("shop");
    expect(await remembering(basic("shop:päss:word"))).toBe(true);
    now = "2026-11-21T10:01:00.000Z";
    expect(await remembering(basic("shop:päss:word"))).toBe(false);
  });

  it("that were wrong are not remembered", async () => {
    const users = new Map<string, string>();
    const remembering = basicCredentials(users, clock);
    expect(await remembering(basic("shop:päss:word"))).toBe(false);
    users.set("shop", hash);
    expect(await remembering(basic("shop:päss:word"))).toBe(true);
  });
});

describe("a password's hash", () => {
  it("is salted, and does not hold the password", async () => {
    expect(hash).toMatch(passwordHash);
    expect(hash).not.toContain("word");
    expect(await hashPassword("päss:word")).not.toBe(hash);
  });
});
