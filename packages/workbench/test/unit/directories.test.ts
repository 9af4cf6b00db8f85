import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { directoryFor, findStack, freshLogs, removeLeftovers } from "../../stack/directories.ts";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "stacks-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A process that has ended. This process runs. */
const gone = spawnSync(process.execPath, ["--version"]).pid;

/** The file that a stack writes, in the folder itself or in its own folder. */
async function stackOf(pid: number, where = ""): Promise<string> {
  await mkdir(join(folder, where), { recursive: true });
  const path = join(folder, where, "stack.json");
  await writeFile(path, JSON.stringify({ pid, baseUrl: `of ${where || "the fixed ports"}` }));
  return path;
}
const found = async (named?: string) => (await findStack(named, folder)).baseUrl;

describe("the stack that try, demo and admin work on", () => {
  it.each(["", "4711"])("is the running one, in the folder %j", async (where) => {
    await stackOf(process.pid, where);
    await stackOf(gone, "4712");
    expect(await found()).toBe(`of ${where || "the fixed ports"}`);
  });

  it("is not found if none is running, even if a killed one left its file", async () => {
    await expect(found()).rejects.toThrow("No stack is running here: start one with npm start.");
    await stackOf(gone);
    await writeFile(join(folder, "not a stack"), "");
    await expect(found()).rejects.toThrow("No stack is running here");
  });

  it("must be named if several are running", async () => {
    await stackOf(process.pid);
    const other = await stackOf(process.pid, "4711");
    await expect(found()).rejects.toThrow(/Several stacks are running here.*\n.*--stack .*stack\.json\n.*4711/);
    expect(await found(other)).toBe("of 4711");
  });

  it("is refused in a sentence if its file does not exist", async () => {
    await expect(found(join(folder, "nowhere.json"))).rejects.toThrow("nowhere.json is not a readable stack file.");
  });
});

describe("the files of stacks", () => {
  it("have a folder for each stack on free ports, next to that of the fixed ones", () => {
    expect(directoryFor("free")).toBe(join(directoryFor("fixed"), String(process.pid)));
  });

  it("begin with empty logs, and keep those of the previous run", async () => {
    for (const run of ["first", "second", "third"]) {
      await writeFile(join(await freshLogs(folder), `${run}.log`), run);
    }
    expect(existsSync(join(folder, "logs", "second.log"))).toBe(false);
    expect(await readFile(join(folder, "logs.before", "second.log"), "utf8")).toBe("second");
    expect(existsSync(join(folder, "logs.before", "first.log"))).toBe(false);
  });

  it("are removed if their process is gone, and stay while it runs", async () => {
    await stackOf(gone, String(gone));
    await stackOf(process.pid, String(process.pid));
    await stackOf(gone);
    await removeLeftovers(folder);
    const there = [String(gone), String(process.pid), "stack.json"].map((name) => existsSync(join(folder, name)));
    expect(there).toEqual([false, true, true]);
  });
});
