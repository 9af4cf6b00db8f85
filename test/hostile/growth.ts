import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";

// How the time to refuse a body grows with its size. It is printed, not asserted, because machines differ.

const SIZES_KB = [8, 16, 32, 63];
const TIMES = 5;

const bodies: Readonly<Record<string, (bytes: number) => string>> = {
  "escaped quotes, open": (bytes) => `"${String.raw`\"`.repeat(bytes / 2 - 1)}`,
  "escaped quotes, closed": (bytes) => `{"a":"${String.raw`\"`.repeat(bytes / 2 - 8)}"}`,
  "one number": (bytes) => `{"a":${"1".repeat(bytes - 8)}}`,
  "many members": (bytes) => `{${Array.from({ length: Math.floor(bytes / 11) }, (_, i) => `"${String(i).padStart(6, "0")}":1`).join()}}`,
  "deep arrays": (bytes) => `{"a":${"[".repeat(bytes / 2 - 8)}${"]".repeat(bytes / 2 - 8)}}`,
  spaces: (bytes) => `{${" ".repeat(bytes - 2)}}`,
  "errors in plenty": (bytes) => `{"data":{${Array.from({ length: Math.floor(bytes / 13) }, (_, i) => `"${String(i).padStart(6, "0")}":[]`).join()}}}`,
}; // prettier-ignore

/** A line for each kind of body: milliseconds at each size, and how often `JSON.parse` alone would have read the largest in that time. */
export async function measureGrowth({ functionsUrl, demo }: StackFile): Promise<readonly string[]> {
  const headers = {
    "content-type": "application/json",
    "x-functions-key": demo.functionsKeys.terminals,
    "x-terminal-key": demo.terminals.silent.terminalKey,
  };
  const ask = async (body: string) => {
    const response = await fetch(`${functionsUrl}/raise-action-request`, { method: "POST", headers, body });
    await response.text();
  };
  const lines: string[] = [];
  for (const [kind, make] of Object.entries(bodies)) {
    const times: number[] = [];
    for (const size of SIZES_KB) times.push(await median(() => ask(make(size * 1_024))));
    const largest = make((SIZES_KB.at(-1) ?? 0) * 1_024);
    const parsing = await median(async () => parse(largest));
    const cells = times.map((ms) => ms.toFixed(1).padStart(7)).join("");
    lines.push(`${kind.padEnd(24)}${cells}  ${((times.at(-1) ?? 0) / parsing).toFixed(0).padStart(6)} ×`);
  }
  return [
    `${"refused in ms, by KB".padEnd(24)}${SIZES_KB.map((kb) => String(kb).padStart(7)).join("")}  JSON.parse`,
    ...lines,
  ];
}

async function median(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)] ?? 0;
}

function parse(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    // the refusal is the measured work
  }
}
