import { keptIn } from "../stack/directories.ts";
import { shownPath } from "../../../infra/tools/running-stacks.ts";
import { typed } from "../../../infra/tools/typed-command.ts";
import type { StackFile } from "../stack/stack-file.ts";
import type { StartWords } from "./start-words.ts";

// The sentences of the welcome about the options.

/** Says whether the data end with the stack, and how many effects of the earlier stack were announced again. */
export function dataSentence({ keep }: Pick<StartWords, "keep">, announcedAgain: number | undefined): string {
  const kept = keptIn(keep);
  if (kept === undefined)
    return `All data is in memory, and is lost when you stop it (${typed("start", "--keep")} keeps it).`;
  const how = `Tables, mails and the terminals' memories are kept in ${shownPath(kept)} (${typed("start", "--keep --fresh")} deletes them).`;
  if (announcedAgain === undefined) return how;
  return `${how}\nIt continues with the data of the previous run: ${announcedAgain === 1 ? "1 effect" : `${announcedAgain} effects`} announced again.`;
}

/** Introduces the log. */
export function logSentence({ quiet, everyLine }: Pick<StartWords, "quiet" | "everyLine">): string {
  if (quiet) return "";
  return everyLine ? "The app's log:" : `The steps of payments follow; ${typed("logs", "--every-line")} shows all:`;
}

export const hostNote = (host: string | undefined, { baseUrl }: StackFile): string =>
  host === undefined
    ? ""
    : `OPEN TO THE NETWORK: the gateway and the pages also listen on ${host}. The demo's keys are public: anyone who reaches\n` +
      `  that address can request and play payments. Containers reach it as ${baseUrl.replace("127.0.0.1", "host.docker.internal")}`;

export const watchNote = ({ watch }: Pick<StartWords, "watch">): string =>
  watch ? "When you save a .ts file in functions/ or shared/, the app reloads and payments continue." : "";

export const inspectNote = (port: number | undefined): string =>
  port === undefined
    ? ""
    : `Debuggers attach to the app's host at 127.0.0.1:${port === 0 ? "(see functions.log)" : port}.`;
