import { parseArgs } from "node:util";
import type { Bench, Outcome, Tell } from "./bench.ts";

/** The command line's request. */
export type Command =
  | { readonly kind: "list" }
  | { readonly kind: "wrong"; readonly why: string }
  | {
      readonly kind: "run";
      readonly name: string;
      /** The file for the figures. */
      readonly json: string | undefined;
      readonly run: (tell: Tell) => Promise<Outcome>;
    };

/** Reads the command line: a benchmark's name, its own options, and `--json <file>`. Unknown names and options are errors. */
export function readCommand(args: readonly string[], benches: Readonly<Record<string, Bench>>): Command {
  const [name, ...rest] = args;
  if (name === undefined) return { kind: "list" };
  const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (!bench) return { kind: "wrong", why: `There is no benchmark "${name}".` };
  const text = { type: "string" } as const;
  const options = Object.fromEntries([...Object.keys(bench.options), "json"].map((option) => [option, text]));
  try {
    const { values } = parseArgs({ args: rest, options });
    const given = values as Readonly<Record<string, string | undefined>>;
    if (given["json"] === "") throw new Error("--json names nothing.");
    return { kind: "run", name, json: given["json"], run: bench.prepare(given) };
  } catch (error) {
    return { kind: "wrong", why: error instanceof Error ? error.message : String(error) };
  }
}

/** Every benchmark with one line, and its options. */
export function usage(benches: Readonly<Record<string, Bench>>): string {
  const lines = Object.entries(benches).flatMap(([name, { means, options }]) => [
    `  ${name.padEnd(20)} ${means}`,
    ...Object.entries(options).map(
      ([option, { means, otherwise }]) => `  ${"".padEnd(20)}   --${option} ${means} (${otherwise})`,
    ),
  ]);
  return ["npm run bench -- <name> [options] [--json file]", "", ...lines].join("\n");
}
