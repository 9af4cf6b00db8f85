import { describe, expect, it } from "vitest";
import { endingWithoutTokens } from "../../../shared/adapters/identity/ending-without-tokens.ts";

const [MINUTE, HOUR] = [60_000, 3_600_000];
const SCOPE = "https://storage.azure.com/.default";

/** A process of this age, and its identity. An answer is the milliseconds until the token expires, or undefined for a failure. */
function aProcess({ ageMs = HOUR } = {}) {
  const born = Date.parse("2026-11-21T10:00:00.000Z") - ageMs;
  let age = ageMs;
  let ends = 0;
  const watched = endingWithoutTokens({ ageMs: () => age, now: () => born + age, end: () => void ends++ });
  const asked = async (lastsMs: number | undefined) => {
    if (lastsMs === undefined) throw new Error("no token");
    return { token: "t", expiresOnTimestamp: born + age + lastsMs };
  };
  const request = (answer: Promise<number | undefined>) =>
    watched({ getToken: async () => asked(await answer) }).getToken(SCOPE);
  return {
    ends: () => ends,
    pass: (ms: number) => void (age += ms),
    succeeds: (lastsMs: number) => request(Promise.resolve(lastsMs)),
    fails: () => expect(request(Promise.resolve(undefined))).rejects.toThrow("no token"),
    /** A request without an answer. Its caller gives up at the returned function's call. */
    hangs() {
      const answer = Promise.withResolvers<number | undefined>();
      const given = request(answer.promise);
      return async () => {
        answer.reject(new DOMException("The wait for a token was aborted.", "AbortError"));
        await expect(given).rejects.toThrow("aborted");
      };
    },
  };
}
type Process = ReturnType<typeof aProcess>;

async function failsFor(process: Process, minutes: number): Promise<void> {
  await process.fails();
  for (let minute = 0; minute < minutes; minute++) {
    process.pass(MINUTE);
    await process.fails();
  }
}

describe("a process whose identity gets no token", () => {
  it.each([
    ["its token has expired", true],
    ["it never had one", false],
  ])("ends after ten minutes of failures, once, if %s", async (_, hadOne) => {
    const process = aProcess();
    if (hadOne) await process.succeeds(MINUTE);
    await failsFor(process, 9);
    expect(process.ends()).toBe(0);
    await failsFor(process, 5);
    expect(process.ends()).toBe(1);
  });

  it("stays while a token is valid, and ends when it has expired", async () => {
    const process = aProcess();
    await process.succeeds(30 * MINUTE);
    await process.succeeds(MINUTE); // of another service
    await failsFor(process, 29);
    expect(process.ends()).toBe(0);
    await failsFor(process, 1);
    expect(process.ends()).toBe(1);
  });

  it("stays until it is an hour old", async () => {
    const process = aProcess({ ageMs: 0 });
    await failsFor(process, 59);
    expect(process.ends()).toBe(0);
    await failsFor(process, 1);
    expect(process.ends()).toBe(1);
  });

  it("stays if a request succeeded within ten minutes", async () => {
    const process = aProcess();
    await failsFor(process, 9);
    await process.succeeds(0);
    await failsFor(process, 9);
    expect(process.ends()).toBe(0);
  });

  it("stays if it made no request for ten minutes, until the next one fails", async () => {
    const process = aProcess();
    await process.fails();
    process.pass(20 * MINUTE);
    const giveUp = process.hangs();
    expect(process.ends()).toBe(0);
    await giveUp();
    expect(process.ends()).toBe(1);
  });

  it("ends if requests get no response, when a caller gives up or another request begins", async () => {
    for (const last of [
      (process: Process) => void process.hangs(),
      async (_: Process, giveUp: () => Promise<void>) => giveUp(),
    ]) {
      const process = aProcess();
      process.hangs();
      process.pass(MINUTE);
      const giveUp = process.hangs();
      process.pass(9 * MINUTE - 1);
      process.hangs();
      expect(process.ends()).toBe(0);
      process.pass(1);
      await last(process, giveUp);
      expect(process.ends()).toBe(1);
    }
  });
});
