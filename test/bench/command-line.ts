import { newScript, UsageError, type Script } from "../../infra/tools/script.ts";
import type { Bench, Outcome, Progress } from "./bench.ts";

/** A benchmark that the command line requests. */
export interface Requested {
  readonly name: string;
  /** The file for the figures. */
  readonly json: string | undefined;
  readonly run: (progress: Progress) => Promise<Outcome>;
}

/** The words of `npm run bench`: a benchmark's name, its own options, and `--json <file>`. */
export function benchScript(
  benches: Readonly<Record<string, Bench>>,
  run: (requested: Requested) => Promise<void>,
): Script {
  const script = newScript("npm run bench --", "Measures the platform. Without a name it lists the benchmarks.", [
    "npm run bench -- live --help",
  ]);
  for (const [name, bench] of Object.entries(benches)) {
    const command = script.command(name).description(bench.means).option("--json <file>", "writes the figures, too");
    for (const [option, { means, otherwise }] of Object.entries(bench.options))
      if (otherwise === undefined) command.option(`--${option}`, means);
      else command.option(`--${option} <value>`, `${means} (${otherwise})`);
    command.action(() => run(requestedBy(name, bench, command)));
  }
  return script;
}

function requestedBy(name: string, bench: Bench, command: Script): Requested {
  const given = Object.fromEntries(
    Object.keys(bench.options).map((option) => {
      const value = command.getOptionValue(attributeOf(command, option)) as string | true | undefined;
      return [option, value === true ? "" : value];
    }),
  );
  const json = command.getOptionValue("json") as string | undefined;
  if (json === "") throw new UsageError("--json names nothing.");
  try {
    return { name, json, run: bench.prepare(given) };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The name under which the parser keeps an option's value. */
const attributeOf = (command: Script, name: string): string =>
  command.options.find(({ long }) => long === `--${name}`)?.attributeName() ?? name;
