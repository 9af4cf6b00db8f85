import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { rehearsalRecord } from "../rehearsal/record.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "rehearsals-"));
});
afterAll(async () => rm(directory, { recursive: true, force: true }));

/** Runs a rehearsal of one fault as its users do, and sends it a Ctrl-C at the line that ends so. */
async function rehearseUntil(end: string) {
  const [out, json] = [join(directory, "rehearsal.html"), join(directory, "rehearsal.json")];
  const words = ["--minutes", "0.3", "--trouble", "tables-away", "--terminals", "6", "--out", out, "--json", json];
  const child = spawn(process.execPath, ["test/rehearsal/main.ts", ...words], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL")); // its parts end with it
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (line.endsWith(end)) child.kill("SIGINT");
    });
  }
  const [code] = (await once(child, "close")) as [number | null]; // also the parts that it started hold its output open
  expect(existsSync(json), `it printed:\n${lines.join("\n")}`).toBe(true);
  const record = rehearsalRecord.parse(JSON.parse(await readFile(json, "utf8")));
  return { code, record, page: await readFile(out, "utf8"), lines };
}

it("a rehearsal takes the tables away, ends with all that it started at Ctrl-C, judges the payments, and writes page and data", async () => {
  const { code, record, page, lines } = await rehearseUntil("tables-away is over");
  expect({ code, broken: record.broken }, `it printed:\n${lines.join("\n")}`).toEqual({ code: 0, broken: [] });
  expect(lines).toContainEqual(expect.stringMatching(/^Ended early\./));
  expect(lines).toContain("No payment was lost, doubled or guessed.");
  expect(page).toContain("<h1>No payment was lost, doubled or guessed.</h1>");
  expect(page).toContain("It was ended before its time; what had happened by then was judged.");
  expect(page).toContain("The database was away");

  const { troubles, over, money, isEndedEarly } = record;
  expect(isEndedEarly).toBe(true);
  expect(over.parts.reduce((sum, { payments }) => sum + payments, 0)).toBeGreaterThan(0);
  expect(money?.books).toEqual(money?.cards);
  expect(troubles.map(({ name }) => name)).toEqual(["tables-away"]);
  expect(troubles[0]?.during.repeats, "no till noticed that the tables were away").toBeGreaterThan(0);
}, 180_000);
