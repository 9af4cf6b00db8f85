import { beforeAll, describe, expect, it } from "vitest";
import { basicCredentials, failureCounts, hashPassword, passwordHash } from "../../../shared/auth/basic-credentials.ts";

const clock = { now: () => "2026-11-21T10:00:00.000Z", sleep: async () => {} };
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
let hash: string;
beforeAll(async () => {
  hash = await hashPassword("päss:word");
});

// Each derives keys for a good part of a second, in threads of Node's own: all at once.
describe.concurrent("Basic credentials", () => {
  const check = (header: string | null) => basicCredentials(new Map([["shop", hash]]), clock)(header, "10.0.0.1");

  it("let the right password in, with whatever characters and colons", async () => {
    expect(await check(basic("shop:päss:word"))).toBe("right");
    expect(await check(basic("shop:päss:word").replace("Basic", "basic"))).toBe("right");
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
    expect(await check(header)).toBe("wrong");
  });

  it("that were wrong are not remembered", async () => {
    const users = new Map<string, string>();
    const checking = basicCredentials(users, clock);
    expect(await checking(basic("shop:päss:word"), "10.0.0.1")).toBe("wrong");
    users.set("shop", hash);
    expect(await checking(basic("shop:päss:word"), "10.0.0.1")).toBe("right");
  });
});

describe("guesses of a password", () => {
  it("are checked two at a time, and the rest turned away at once", async () => {
    const check = basicCredentials(new Map([["shop", hash]]), clock);
    const guesses = Array.from({ length: 100 }, (_, i) => check(basic(`shop:${i}`), `10.0.0.${i}`));
    const verdicts = await Promise.all(guesses);
    expect(verdicts.filter((verdict) => verdict === "wrong")).toHaveLength(2);
    expect(verdicts.filter((verdict) => verdict === "unchecked")).toHaveLength(98);
  });

  it("do not hold up a user whose password was right before", async () => {
    const check = basicCredentials(new Map([["shop", hash]]), clock);
    expect(await check(basic("shop:päss:word"), "10.0.0.1")).toBe("right");
    const guesses = Array.from({ length: 20 }, (_, i) => check(basic(`shop:${i}`), "10.0.0.2"));
    expect(await Promise.race([check(basic("shop:päss:word"), "10.0.0.1"), guesses[0]])).toBe("right");
    await Promise.all(guesses);
  });

  it("are no longer checked after ten from one address within a minute, and another address is not held to them", async () => {
    let now = clock.now();
    const failures = failureCounts({ now: () => now });
    const check = basicCredentials(new Map([["shop", hash]]), { now: () => now }, failures);
    for (let i = 1; i < 10; i++) failures.add("10.0.0.1", "shop");
    expect(await check(basic("shop:other"), "10.0.0.1")).toBe("wrong");
    expect(await check(basic("shop:päss:word"), "10.0.0.1")).toBe("unchecked");
    expect(await check(basic("shop:other"), "10.0.0.2")).toBe("wrong");
    now = "2026-11-21T10:01:00.000Z";
    expect(await check(basic("shop:päss:word"), "10.0.0.1")).toBe("right");
  });

  it("are no longer checked after fifty for one user within a minute, wherever they come from", () => {
    const failures = failureCounts(clock);
    for (let i = 0; i < 50; i++) {
      expect(failures.areMany("10.0.1.1", "shop")).toBe(false);
      failures.add(`10.0.0.${i}`, "shop");
    }
    expect(failures.areMany("10.0.1.1", "shop")).toBe(true);
    expect(failures.areMany("10.0.1.1", "other")).toBe(false);
  });
});

describe("a password's hash", () => {
  it("is salted, and does not hold the password", async () => {
    expect(hash).toMatch(passwordHash);
    expect(hash).not.toContain("word");
    expect(await hashPassword("päss:word")).not.toBe(hash);
  });
});
