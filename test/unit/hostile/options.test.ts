import { describe, expect, it } from "vitest";
import { readOptions } from "../../hostile/options.ts";

describe("the options of a hostile run", () => {
  it("are 100,000 requests where none is given", () => {
    expect(readOptions([], 7)).toEqual({ seed: 7, requests: 100_000, seconds: Infinity });
  });

  it("are as many requests as the seconds allow where only those are given", () => {
    expect(readOptions(["--seconds", "80"], 7)).toEqual({ seed: 7, requests: Infinity, seconds: 80 });
  });

  it.each(["abc", "0", "-1", "1.5", "", "1e3"])("are refused where a number is %o", (value) => {
    for (const name of ["seed", "requests", "seconds"]) {
      expect(() => readOptions([`--${name}=${value}`], 7)).toThrow(`--${name} ${value} is no positive whole number.`);
    }
  });

  it("are refused where one is unknown", () => {
    expect(() => readOptions(["--many"], 7)).toThrow("--many");
  });
});
