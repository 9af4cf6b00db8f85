import { describe, expect, it } from "vitest";
import { hostileScript, type Options } from "../../hostile/options.ts";
import { givenFor } from "../../support/words-of-script.ts";

const read = (...words: string[]) => givenFor<Options>((run) => hostileScript(run, 7), words);

describe("the options of a hostile run", () => {
  it("are 100,000 requests by default", async () => {
    expect(await read()).toEqual({ seed: 7, requests: 100_000, seconds: Infinity });
  });

  it("are as many requests as the seconds allow if only those are given", async () => {
    expect(await read("--seconds", "80")).toEqual({ seed: 7, requests: Infinity, seconds: 80 });
  });

  it.each(["abc", "0", "-1", "1.5", "", "1e3"])("are refused if a number is %o", async (value) => {
    for (const name of ["seed", "requests", "seconds"])
      await expect(read(`--${name}=${value}`)).rejects.toThrow(`argument '${value}' is invalid`);
  });
});
