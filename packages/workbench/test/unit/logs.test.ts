import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tailOf } from "../../logs/tail.ts";
import { wantedLines, type Wanted } from "../../logs/wanted.ts";

describe("a log that is followed", () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "logs-"))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("returns each complete line once, and those of the file that replaces it", async () => {
    const path = join(folder, "functions.log");
    const tail = tailOf(path);
    expect(await tail.read()).toEqual([]);
    await writeFile(path, "one\ntw");
    expect(await tail.read()).toEqual(["one"]);
    await appendFile(path, "o å\n");
    expect(await tail.read()).toEqual(["two å"]);
    expect(await tail.read()).toEqual([]);
    await rename(path, join(folder, "before.log"));
    expect(await tail.read()).toEqual([]);
    await writeFile(path, "a longer line than all before\n");
    expect(await tail.read()).toEqual(["a longer line than all before"]);
  });
});

describe("the lines of npm run logs", () => {
  const trace = (n: number) => String(n).padStart(32, "0");
  const lines = [
    { event: "worker", trace: trace(1), session: "s1" },
    { event: "request", trace: trace(1), requestID: "r1", session: "s1" },
    { event: "alertRaised", level: "error", trace: trace(2), session: "s2" },
    { event: "jobFailed", level: "warning", trace: trace(1), session: "s1" },
  ].map((event) => `information worker ${JSON.stringify(event)}`);

  const wanted = (input: Partial<Wanted>) => {
    const { learn, isWanted } = wantedLines({ level: "information", ...input });
    const all = ["Host lock acquired.", ...lines];
    all.forEach(learn);
    return all.filter(isWanted).map((line) => /"event":"(\w+)"/.exec(line)?.[1]);
  };

  it.each<[string, Partial<Wanted>, string[]]>([
    ["all that the app wrote", {}, ["worker", "request", "alertRaised", "jobFailed"]],
    ["a level and those above it", { level: "warning" }, ["alertRaised", "jobFailed"]],
    ["a request's and those of what it caused", { request: "R1" }, ["worker", "request", "jobFailed"]],
    ["a payment's", { session: "S2" }, ["alertRaised"]],
    ["none of an unknown request", { request: "r2" }, []],
  ])("are %s", (_, input, events) => {
    expect(wanted(input)).toEqual(events);
  });
});
