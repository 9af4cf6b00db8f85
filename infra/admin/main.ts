import { Conflict, Unavailable } from "../../shared/ports/failures.ts";
import { runCommand } from "./commands.ts";
import { readConnections } from "./connections.ts";

// The operator's command line: `npm run admin -- <command> …`. What is wrong is told in a sentence, with exit code 1.

try {
  const shown = await runCommand(process.argv.slice(2), readConnections);
  if (shown !== undefined) console.log(JSON.stringify(shown, null, 2));
} catch (error) {
  console.error(sentence(error));
  process.exitCode = 1;
}

function sentence(error: unknown): string {
  if (error instanceof Conflict) return "Somebody else changed it at the same moment. Try again.";
  if (error instanceof Unavailable) return "The tables do not answer.";
  return error instanceof Error ? error.message : String(error);
}
