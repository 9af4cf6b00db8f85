import { Conflict, Unavailable } from "../../shared/ports/failures.ts";
import { runSubcommand } from "./subcommands.ts";
import { stackOption } from "../local/directories.ts";
import { readConnections } from "./connections.ts";

// The operator's command line: `npm run admin -- [--stack <file>] <command> …`. An error is printed as one sentence, with exit code 1.

let exitCode = 0;
try {
  const { stack, words } = stackOption(process.argv.slice(2));
  const shown = await runSubcommand(words, () => readConnections(process.env, stack));
  if (shown !== undefined) console.log(JSON.stringify(shown, null, 2));
} catch (error) {
  console.error(sentence(error));
  exitCode = 1;
}
// Waits until the output is written, but not for calls to a bus that does not respond.
for (const stream of [process.stdout, process.stderr]) await new Promise((done) => stream.write("", done));
process.exit(exitCode);

function sentence(error: unknown): string {
  if (error instanceof Conflict) return "It was changed at the same time by another call. Try again.";
  if (error instanceof Unavailable)
    return error.dependency === "bus" ? "The Service Bus does not respond." : "The tables do not respond.";
  return error instanceof Error ? error.message : String(error);
}
