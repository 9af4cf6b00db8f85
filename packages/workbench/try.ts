import { styleText } from "node:util";
import { endSignal, isColoured, newScript, runScript } from "../../infra/tools/script.ts";
import { invocation, typed } from "../../infra/tools/typed-command.ts";
import { findStack } from "./stack/directories.ts";
import type { StackFile } from "./stack/stack-file.ts";
import { CURRENCY } from "./first-payment.ts";
import { linkTo } from "./live/page/routes.ts";
import { approved, partnerText, scriptList } from "../terminal/simulated/scripts.ts";
import { readAmount, scripted } from "./try/amount.ts";
import type { Happening } from "./try/lines.ts";
import type { Wanted } from "./try/partner.ts";
import { tryPayment, type Tried } from "./try/try-payment.ts";

// `npm run try` requests one payment on the running stack, and prints its events from the request to the end. It works in any shell.

interface Words {
  readonly capture?: "automatic" | "manual";
  readonly case?: string;
  readonly terminal: string;
  readonly webhookUrl?: string;
  readonly json?: true;
  readonly stack?: string;
}

const slugs = [approved.slug, ...scriptList().map(({ slug }) => slug)];

export const script = newScript(
  invocation("try"),
  "Requests a payment on the running stack, and shows its events until it ends.",
  [typed("try"), typed("try", "20 --capture manual"), typed("try", "--case declined"), typed("try", "100.01 --json")],
);
script
  .argument(
    "[amount]",
    "in SEK, with a decimal point; the last two digits choose the terminal's script",
    readAmount,
    125.5,
  )
  .addOption(
    script
      .createOption(
        "--capture <mode>",
        "captures the money at once, or prints the command that captures it; by default as the script needs it, otherwise automatic",
      )
      .choices(["automatic", "manual"]),
  )
  // npm takes other names, such as --plays, for a row of its one-letter options.
  .addOption(script.createOption("--case <script>", "the script that the terminal plays").choices(slugs))
  .option("--terminal <terminal>", "autopilot, silent, counter or a pointOfServiceID", "autopilot")
  .option("--webhook-url <address>", "the address of the payment's webhooks, instead of the live page")
  .option("--json", "prints one JSON object per line")
  .option("--stack <file>", "the stack.json of the stack, if several are running")
  .action(async (amount: number, words: Words) => {
    const wanted = { ...scripted(amount, words), terminal: words.terminal, webhookUrl: words.webhookUrl };
    const signal = endSignal();
    const file = await findStack(words.stack);
    const stackOption = words.stack === undefined ? "" : ` --stack ${words.stack}`;
    const { show, end } = words.json ? jsonOutput() : textOutput(wanted, file, stackOption);
    const tried = await tryPayment(file, wanted, { show, signal, stackOption });
    if (signal.aborted && !tried.hasEnded) return endEarly(tried, stackOption);
    end(tried);
    if (!tried.hasEnded) process.exitCode = 1;
  });

interface Teller {
  readonly show: (happening: Happening) => void;
  readonly end: (tried: Tried) => void;
}

const jsonOutput = (): Teller => ({
  show: (happening) => console.log(JSON.stringify(happening)),
  end: (tried) => console.log(JSON.stringify({ event: "end", ...tried })),
});

/** Prints each event as a line, and at the end the payment's state and the command that explains it. */
export function textOutput({ amount, terminal, script }: Wanted, file: StackFile, stackOption: string): Teller {
  const paint = (style: "dim" | "cyan" | "bold", text: string) =>
    isColoured() ? styleText(style, text, { validateStream: false }) : text;
  const plays = script === undefined ? "" : `, which plays "${script.name.replaceAll("`", "")}"`;
  const asks = script && partnerText(script);
  const part = asks ? `; the partner ${asks}` : "";
  console.log(`${amount.toFixed(2)} ${CURRENCY} on the terminal ${terminal}${plays}${part}\n`);
  const counter = counterOf(terminal, file);
  return {
    show({ ms, who, event, text }) {
      console.log(`${paint("dim", `+${ms} ms`.padStart(9))}  ${who === "webhook" ? paint("cyan", text) : text}`);
      if (event === "accepted" && counter !== undefined) console.log(`\n  Tap the card on the live page: ${counter}\n`);
    },
    end({ sessionID, hasEnded, text, next }) {
      const why = typed("admin", `payment why ${sessionID}${stackOption}`);
      console.log(`\nPayment ${sessionID}: ${paint("bold", text)}`);
      if (!hasEnded) console.log(`It has not ended yet. To see why, and how to resolve it: ${why}`);
      else console.log(`Its whole history: ${why}`);
      if (next !== undefined) console.log(`\nCapture the money:\n\n${next}`);
    },
  };
}

/** The address where a person plays the terminal counter. Undefined for other terminals. */
function counterOf(terminal: string, { live, demo }: StackFile): string | undefined {
  const isCounter = ["counter", demo.terminals.counter?.pointOfServiceID].includes(terminal);
  return isCounter && live !== undefined ? `${live}${linkTo("counter")}` : undefined;
}

const INTERRUPTED = 130;

function endEarly({ sessionID }: Tried, stackOption: string): void {
  console.error(`The payment continues: ${typed("admin", `payment why ${sessionID}${stackOption}`)}`);
  process.exitCode ??= INTERRUPTED;
}

if (import.meta.main) await runScript(script);
