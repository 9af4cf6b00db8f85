import { expect, it } from "vitest";
import { shownOn } from "../../support/admin.ts";

/** The complaint of `payment list` before it reads any payment. */
async function complaint(...words: string[]): Promise<string> {
  const connect = () => Promise.reject(new Error("read the payments"));
  return shownOn(connect, ["payment", "list", ...words]).then(
    () => "nothing",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

it.each([
  [],
  ["--overdue"],
  ["--overdue", "--status", "reconciling"],
  ["--day", "2026-11-21", "--status", "captured", "--terminal", "A"],
])("payment list takes %s %s %s %s %s %s", async (...words) => {
  expect(await complaint(...words)).toBe("read the payments");
});

it.each([
  [
    ["--overdue", "--day", "2026-11-21"],
    "Option '--overdue' cannot be used with option '--day <YYYY-MM-DD>'. See npm run admin -- payment list --help.",
  ],
  [["--day", "yesterday"], "--day takes a day, such as 2026-11-21."],
  [["--status", "paid"], /^--status is one of pending, /],
  [["--merchant", "m"], /Unknown option '--merchant'/],
])("payment list refuses %j: %s", async (words, message) => {
  expect(await complaint(...words)).toMatch(message);
});
