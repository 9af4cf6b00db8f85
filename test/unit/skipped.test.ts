import { expect, it } from "vitest";
import { reasonIn, skippedIf, skippedLine } from "../support/skipped.ts";

it("a skipped test has its reason in its own name or in that of a suite, even with brackets in the reason", () => {
  const reason = "there is no browser at C:\\Program Files (x86)\\chrome.exe";
  const suite = `a page${skippedIf(true, reason)}`;
  expect(reasonIn([suite, "is shown"])).toBe(reason);
  expect(reasonIn(["a page", `is shown${skippedIf(true, reason)}`])).toBe(reason);
  expect(reasonIn([`a page${skippedIf(false, reason)}`, "is shown (in colours)"])).toBeUndefined();
});

it("the reasons of skipped tests are counted in one line, the most frequent first", () => {
  const reasons = ["there is no bicep", "there is no browser", undefined, "there is no browser"];
  expect(skippedLine(reasons)).toBe(
    "4 skipped: 2 because there is no browser; 1 because there is no bicep; 1 no reason given",
  );
});
