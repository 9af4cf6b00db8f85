import { join } from "node:path";
import { shownPath } from "../../tools/running-stacks.ts";
import { curlFor, samplePayment } from "../../pages/first-payment.ts";
import type { StackFile } from "../../stack/stack-file.ts";

/** The values that the welcome shows, in addition to the stack file. */
export interface Started {
  readonly seconds: string;
  readonly reference: string;
  readonly live: string;
  readonly landingPage: string;
  /** The folder of `stack.json` and the logs. */
  readonly directory: string;
  /** A sentence about the data: whether they end with the stack. */
  readonly data: string;
  /** Sentences about the options. */
  readonly notes: readonly string[];
  /** Whether Enter opens the live page. */
  readonly isOffered: boolean;
  /** Whether the app's log follows. */
  readonly hasLog: boolean;
}

/** The text that is printed when everything runs: addresses, keys and a first request. */
export const welcome = (file: StackFile, started: Started): string => `
The payment platform is running (ready in ${started.seconds} s). ${started.data}
${started.notes
  .filter((note) => note !== "")
  .map((note) => `\n  ${note}\n`)
  .join("")}
  Live page       ${started.live}  (watch payments, and play them)${started.isOffered ? "   <- press Enter to open it" : ""}
  Reference       ${started.reference}  (read the APIs, and try them)
  Landing page    ${started.landingPage}  (a customer's page that sends a voucher by mail)

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

All of this is also in ${shownPath(join(started.directory, "stack.json"))}; logs are in ${shownPath(join(started.directory, "logs"))}. Request a payment (or: npm run try):

${curlFor(file, samplePayment(file))}

Ctrl-C stops everything.${started.hasLog ? " The app's log:" : ""}
`;
