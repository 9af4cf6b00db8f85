import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lacks, needs, whyLeftOut } from "../../deployed/left-out.ts";
import { deployedScript } from "../../deployed/options.ts";
import { summaryOf } from "../../deployed/summary.ts";
import { givenFor } from "../../support/words-of-script.ts";

const e2e = new URL("../../e2e/", import.meta.url);

describe("the tests that a deployed platform leaves out", () => {
  it.each(needs.map(({ file, test = "" }) => [file, test]))("are in %s.test.ts: %s", (file, test) => {
    const path = new URL(`${file}.test.ts`, e2e);
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, "utf8")).toContain(test);
  });

  it("are left out for the first thing that is missing, and run if nothing is missing", () => {
    const path = "/clone/test/e2e/refunding.test.ts";
    expect(whyLeftOut(path, "a refund gives money back", ["webhooks", "operator"])).toBe(lacks.webhooks);
    expect(whyLeftOut(path, "a refund gives money back", ["operator"])).toBeUndefined();
    expect(whyLeftOut(path, "a full refund releases the order of a strict merchant", ["operator"])).toBe(
      lacks.operator,
    );
    expect(whyLeftOut("/clone/test/e2e/client.test.ts", "the client's example", ["operator"])).toBeUndefined();
  });
});

describe("the options of npm run e2e", () => {
  it.each(["https://gateway.example", "http://127.0.0.1:7080", "http://localhost:7080"])(
    "accept %s",
    async (baseUrl) => {
      const options = await givenFor(deployedScript, ["--base-url", baseUrl, "--settings", "e2e.json"]);
      expect(options).toEqual({ baseUrl, settings: "e2e.json" });
    },
  );

  it.each([
    [[], "It needs --base-url and --settings."],
    [["--base-url", "https://gateway.example"], "It needs --base-url and --settings."],
    [["--base-url", "gateway", "--settings", "e2e.json"], "--base-url gateway is no address."],
    [["--base-url", "http://gateway.example", "--settings", "e2e.json"], "must be an https address"],
    [["--apikey", "secret"], "unknown option '--apikey'"],
  ])("%j are refused", async (words, why) => {
    await expect(givenFor(deployedScript, words)).rejects.toThrow(why);
  });
});

describe("the summary of npm run e2e", () => {
  const results = (...statuses: string[]) => ({
    testResults: [
      {
        name: "/clone/test/e2e/troubles.test.ts",
        assertionResults: statuses.map((status) => ({ ancestorTitles: ["an endpoint"], title: "is", status })),
      },
    ],
  });

  it("counts the tests that ran, and the left-out ones by reason", () => {
    const { lines, isPassed } = summaryOf(results("passed", "skipped", "pending"), ["cloud"]);
    expect(lines).toEqual(["3 tests: 1 passed, 0 failed, 2 left out", `     2  ${lacks.cloud}`]);
    expect(isPassed).toBe(true);
  });

  it("is not a success with a failed test, or without a passed one", () => {
    expect(summaryOf(results("passed", "failed"), []).isPassed).toBe(false);
    expect(summaryOf(results("skipped"), ["cloud"])).toMatchObject({ isPassed: false });
  });
});
