import { escaped } from "../../../shared/domain/texts.ts";
import { areHere } from "../../../shared/edge/settings/demo-secrets.ts";
import { refusalOfFallback } from "../../tools/fallback-node.js";
import { DamagedExport } from "../backup/damage.ts";
import { isConfirmed } from "./ask.ts";
import { findCloud } from "./find-cloud.ts";
import { perform } from "./program.ts";
import { sentence } from "./sentence.ts";
import { shownResult } from "./show.ts";
import { trailInTables } from "./trail.ts";
import { givenWords } from "../../tools/packed.ts";
import { UsageError } from "../../tools/script.ts";
import { asTyped } from "../../tools/typed-command.ts";

// The operator's command line. Results and help go to stdout, everything else to stderr. An error is printed as one sentence. The exit code
// is 2 for wrong words and for a finished export with damaged rows, and 1 for any other error.

let exitCode = 0;
try {
  const performed = await perform(givenWords(), {
    async findCloud(named) {
      const cloud = await findCloud(process.env, named);
      const refusal = areHere(cloud) ? undefined : refusalOfFallback();
      if (refusal !== undefined) throw new Error(refusal);
      return cloud;
    },
    note: (line) => console.error(line),
    trail: trailInTables,
    ask: process.stdin.isTTY ? isConfirmed : undefined,
    columns: process.stdout.columns,
  });
  if ("help" in performed) process.stdout.write(performed.help);
  else if (performed.isJson) console.log(asTyped(escaped(JSON.stringify(performed.result ?? null, null, 2))));
  else if (performed.result !== undefined)
    console.log(asTyped(shownResult(performed.result, performed.command, process.stdout.columns)));
} catch (error) {
  console.error(asTyped(sentence(error)));
  exitCode = error instanceof UsageError || error instanceof DamagedExport ? 2 : 1;
}
// Waits until the output is written, but does not wait for calls to a bus that does not respond.
for (const stream of [process.stdout, process.stderr]) await new Promise((done) => stream.write("", done));
process.exit(exitCode);
