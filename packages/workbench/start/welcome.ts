import { join } from "node:path";
import { stateFolder } from "../../../infra/tools/packed.ts";
import { shownPath } from "../../../infra/tools/running-stacks.ts";
import { typed } from "../../../infra/tools/typed-command.ts";
import { curlFor, samplePayment } from "../first-payment.ts";
import type { StackFile } from "../stack/stack-file.ts";

/** The values that the welcome shows, in addition to the stack file. */
export interface Started {
  readonly seconds: string;
  /** The folder of `stack.json` and the logs. */
  readonly directory: string;
  /** A sentence about the data: whether they end with the stack. */
  readonly data: string;
  /** Sentences about the options. */
  readonly notes: readonly string[];
  /** Whether Enter opens the live page. */
  readonly isOffered: boolean;
  /** A sentence about the log that follows. Empty if none does. */
  readonly log: string;
  /** Whether to show every address and key, too. */
  readonly hasDetails: boolean;
}

/** The text that is printed when everything runs: where to look, what to type, and how to end it. */
export const welcome = (file: StackFile, started: Started, platform: NodeJS.Platform = process.platform): string => `
The payment platform is running (ready in ${started.seconds} s). ${started.data}
${started.notes
  .filter((note) => note !== "")
  .map((note) => `\n  ${note}\n`)
  .join("")}
  Live page        ${file.live}${started.isOffered ? "   <- press Enter to open it" : ""}
  Reference        ${file.reference}  (the Partners API, to read and to try)
  A first payment  ${tryCommand(started)}  (in another shell)
${started.hasDetails ? details(file, started, platform) : elsewhere(started)}
Ctrl-C ends it. ${started.log}
`;

const beside = ({ directory }: Started, file: string): string => shownPath(join(directory, file));
const stackJson = (started: Started): string => beside(started, "stack.json");

/** On free ports it names the stack, because several may run. */
const tryCommand = (started: Started): string =>
  started.directory === stateFolder ? typed("try") : typed("try", `--stack ${stackJson(started)}`);

const elsewhere = (started: Started): string =>
  `  Your settings    ${beside(started, "demo.env")}  (the address, keys and identifiers of a partner's server)\n` +
  `  Everything else  ${stackJson(started)}  (${typed("start", "--details")} prints it)\n`;

/** The addresses and keys, and a first request for a POSIX shell. */
const details = (file: StackFile, started: Started, platform: NodeJS.Platform): string => `
  Landing page    ${file.landingPage}  (a customer's page that sends a voucher by mail)
  Base address    ${file.baseUrl}  (partners and consumers)
  Terminals       ${file.terminalsUrl}
  Functions       ${file.functionsUrl}  (behind the gateway; needs the x-functions-key)
  Tables          ${file.tables.split(";").find((part) => part.startsWith("TableEndpoint"))}
  Service Bus     ${file.serviceBus.split(";")[0]}
  Mails           ${file.mails}
  Faults          ${file.faults}  (sets faults of tables and queues: see docs/running.md)

  apikey                      ${file.demo.apikey}
  Ocp-Apim-Subscription-Key   ${file.demo.subscriptionKey}
  x-functions-key, partners   ${file.demo.functionsKeys.partners}
  x-functions-key, terminals  ${file.demo.functionsKeys.terminals}
  webhook secret              ${file.demo.webhookSecret}
  terminal on autopilot       ${file.demo.terminals.autopilot.pointOfServiceID}
  terminal that is silent     ${file.demo.terminals.silent.pointOfServiceID}
  terminal on the live page   ${file.demo.terminals.counter?.pointOfServiceID}

All of this is also in ${stackJson(started)}.
${platform === "win32" ? "" : `\n${curlFor(file, samplePayment(file))}\n`}`;
