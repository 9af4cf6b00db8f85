import { spawnSync } from "node:child_process";
import { skippedIf } from "./skipped.ts";

/** Reads with Python's own module, and refuses invalid CSV. Each line becomes an object with the names of the first line. */
const PROGRAM = `
import csv, io, json, sys
file = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", newline="")
print(json.dumps(list(csv.DictReader(file, strict=True, restkey="too many"))))
`;

/** Whether this machine has Python 3. Its readers are independent of this repository. */
export const hasPython = spawnSync("python3", ["--version"]).status === 0;
export const withoutPython = skippedIf(!hasPython, "there is no python3 on this machine");

/** Runs a program that writes one JSON document. Throws what it complains about if it fails. */
export function runPython(args: readonly string[], input: string): unknown {
  const { status, stdout, stderr } = spawnSync("python3", args, { input, encoding: "utf8", maxBuffer: Infinity });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** The lines of a CSV text, as Python reads them. Throws if Python refuses the text. */
export const readByPython = (csv: string) =>
  runPython(["-c", PROGRAM], csv) as readonly Readonly<Record<string, string>>[];
