import { createServer } from "node:net";
import { isPacked } from "../../infra/tools/packed.ts";
import { newScript, runScript, UsageError } from "../../infra/tools/script.ts";
import { invocation, typed } from "../../infra/tools/typed-command.ts";
import { assertPorts } from "./start/assert-ports.ts";
import type { StartWords } from "./start/start-words.ts";
import { newProgress } from "./start/progress.ts";

// `npm start` runs the whole platform on this machine. This file reads the arguments; start/everything.ts has the order of the start.

export const script = newScript(
  invocation("start"),
  "Starts the whole platform on this machine, and stops it on Ctrl-C.",
  [
    typed("start"),
    typed("start", "--keep              # payments survive a restart"),
    ...(isPacked ? [] : [typed("start", "--watch --quiet     # a saved .ts of the app takes effect at once")]),
    typed("start", "--ports 0           # in addition to a running stack"),
  ],
);
script
  .option("--ports <0>", "take free ports, with new identifiers and keys", portsOf)
  .option("--keep [folder]", "keep tables, mails and the terminals' memories there, and continue with what is there")
  .option("--fresh", "with --keep: delete what was kept before")
  .addOption(
    script
      .createOption("--scale-groups", "give each queue's function a host of its own, as Azure does")
      .hideHelp(isPacked),
  )
  .addOption(
    script
      .createOption("--watch", "build and reload the app when a file of functions/ or shared/ is saved")
      .hideHelp(isPacked),
  )
  .addOption(
    script
      .createOption("--inspect [port]", "open the app's host to debuggers on this port")
      .argParser(inspectorPort)
      .hideHelp(isPacked),
  )
  .option("--host <address>", "let the gateway and the pages listen on this address, too")
  .option("--public-url <url>", "the gateway's address for other machines; the pages have its name", publicUrlOf)
  .option("--details", "print every address and key, and a curl to paste (not on Windows)")
  .option("--every-line", "show every line of the app's log, not only the steps of payments")
  .option("--quiet", "do not show the app's log")
  .option("--no-open", "do not offer to open the live page")
  .action(async (words: StartWords) => {
    await checked(words);
    if (words.ports !== "free") await assertPorts();
    const progress = newProgress(); // before the imports, which take a while on a busy machine
    const { startEverything } = await import("./start/everything.ts");
    await startEverything(words, progress).finally(progress.end);
  });

if (import.meta.main) await runScript(script);

function portsOf(text: string): "free" {
  if (text !== "0") throw new UsageError(`--ports must be 0, for free ports, not "${text}".`);
  return "free";
}

/** Reads an address without a path, because each server is at the root of its own port. */
function publicUrlOf(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new UsageError(`--public-url must be an address such as http://sandbox.shop.example:7080, not "${text}".`);
  return url;
}

function inspectorPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new UsageError(`--inspect must be a port, not "${text}".`);
  return Number(text);
}

/** Throws `UsageError` for options that contradict each other, and for an address that is not this machine's. */
async function checked(words: StartWords): Promise<void> {
  if (words.fresh && !words.keep)
    throw new UsageError(`--fresh needs --keep: ${typed("start", "--keep --fresh")} deletes what was kept.`);
  if (words.keep && words.ports)
    throw new UsageError(
      `${typed("start", "--keep")} has the fixed ports, so that partners find it again: leave out --ports.`,
    );
  if (words.watch && words.scaleGroups)
    throw new UsageError(`${typed("start", "--watch")} reloads one host: leave out --scale-groups.`);
  if (words.host !== undefined) await assertOwn(words.host);
}

async function assertOwn(host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const server = createServer();
  server.once("error", () => reject(new UsageError(`--host must be an address of this machine, not "${host}".`)));
  server.listen(0, host, () => server.close(() => resolve()));
  return promise;
}
