import { expect, it } from "vitest";
import { shownOn } from "../../support/admin.ts";

const KEY = "0f3a91c2d4e5b6a7";
const WHICH_DAYS = "--key needs --from and --to: the first and the last UTC day.";

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
  ["--key", KEY, "--from", "2026-11-21", "--to", "2026-11-21"],
])("payment list takes %s %s %s %s %s %s", async (...words) => {
  expect(await complaint(...words)).toBe("read the payments");
});

it.each([
  [
    ["--overdue", "--day", "2026-11-21"],
    "Option '--overdue' cannot be used with option '--day <YYYY-MM-DD>'. See npm run admin -- payment list --help.",
  ],
  [["--key", KEY, "--from", "2026-11-21"], WHICH_DAYS],
  [["--key", KEY, "--to", "2026-11-21"], WHICH_DAYS],
  [["--key", KEY, "--from", "2026-11-22", "--to", "2026-11-21"], "--from must not be after --to."],
  [["--from", "2026-11-21"], "--from and --to need --key."],
  [["--key", KEY, "--day", "2026-11-21"], /^Option '--key <keyID>' cannot be used with option '--day <YYYY-MM-DD>'/],
  [["--overdue", "--key", KEY], /^Option '--key <keyID>' cannot be used with option '--overdue'/],
  [["--key", "pp_0f3a_secret"], /^A keyID is the part of a key between its two underscores/],
  [["--day", "yesterday"], "--day takes a day, such as 2026-11-21."],
  [["--status", "paid"], /^--status is one of pending, /],
  [["--merchant", "m"], /Unknown option '--merchant'/],
])("payment list refuses %j: %s", async (words, message) => {
  expect(await complaint(...words)).toMatch(message);
});
