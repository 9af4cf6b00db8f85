import { styleText } from "node:util";
import { endSignal, isColoured, newScript, runScript, UsageError } from "../../infra/tools/script.ts";
import { invocation, typed } from "../../infra/tools/typed-command.ts";
import { events } from "../../shared/contracts/events/events.ts";
import { findStack } from "./stack/directories.ts";
import type { StackFile } from "./stack/stack-file.ts";
import { forwardAll, outageAt, showHeard, type Shown } from "./webhooks/shown.ts";

// `npm run webhooks` shows the webhooks of the running stack's demo partner as they come. It can forward them to a server in development.

interface Words {
  readonly forward?: string;
  readonly types?: readonly string[];
  readonly once?: true;
  readonly json?: true;
  readonly stack?: string;
}

async function showWebhooks({ forward: address, types = [], once, json, stack }: Words): Promise<void> {
  const { live: liveUrl, demo } = await findStack(stack);
  if (liveUrl === undefined)
    throw new Error("This stack has no live page. Webhooks can only be shown with its receiver.");
  const end = endSignal();
  const enough = new AbortController();
  const listening = { liveUrl, types, signal: AbortSignal.any([end, enough.signal]) };
  if (!json) welcome(demo, address);
  const outage = address === undefined ? undefined : outageAt(address);
  const show = (shown: Shown) => {
    if (listening.signal.aborted) return;
    console.log(json ? JSON.stringify(shown) : lineOf(shown));
    const out = outage?.(shown);
    if (out !== undefined) console.error(out);
    if (once) enough.abort();
  };
  const listened = address === undefined ? showHeard(listening, show) : forwardAll(listening, address, show);
  const cause: unknown = await listened.catch((error: unknown) => error);
  if (!listening.signal.aborted) throw new Error(`The live page at ${liveUrl} and its stack have ended.`, { cause });
}

const paint = (style: "dim" | "green" | "red" | "cyan", text: string): string =>
  isColoured() ? styleText(style, text, { validateStream: false }) : text;

function welcome({ webhookSecret }: StackFile["demo"], address: string | undefined): void {
  const goes =
    address === undefined
      ? "They are shown as they arrive."
      : `They are forwarded to ${address}, and its status is returned to the platform.`;
  console.log(`Webhooks of the demo partner. ${goes} Ctrl-C ends it.\nThe signing secret is ${webhookSecret}\n`);
}

function lineOf({ type, eventId, attempt, isSignatureValid, answer, forwarded }: Shown): string {
  const signature = isSignatureValid ? paint("green", "signature valid") : paint("red", "SIGNATURE WRONG");
  const { failure } = forwarded ?? {};
  const status = failure === undefined ? (answer ?? "no response yet") : `${answer}, no response (${failure})`;
  const took = forwarded === undefined ? "" : paint("dim", ` in ${forwarded.ms} ms`);
  const shownStatus = paint(typeof status === "number" && status < 300 ? "green" : "red", String(status));
  const time = paint("dim", new Date().toISOString().slice(11, -1));
  return `${time}  ${paint("cyan", type.padEnd(22))}  ${eventId}  attempt ${attempt}  ${signature}  -> ${shownStatus}${took}`;
}

function readForward(text: string): string {
  const address = URL.parse(text);
  if (!address || !["http:", "https:"].includes(address.protocol))
    throw new UsageError(`--forward must be an address such as http://127.0.0.1:4242/webhooks, not "${text}".`);
  return address.href;
}

const eventTypes: readonly string[] = Object.values(events).flatMap(({ shape }) => shape.type.options);

function readTypes(text: string): readonly string[] {
  const types = text.split(",").map((type) => type.trim());
  const unknown = types.find((type) => !eventTypes.includes(type));
  if (unknown !== undefined) throw new UsageError(`There is no type "${unknown}". There are ${eventTypes.join(", ")}.`);
  return types;
}

export const script = newScript(
  invocation("webhooks"),
  "Shows each webhook of the demo partner, checks its signature, and forwards it to your server.",
  [
    typed("webhooks"),
    typed("webhooks", "--forward http://127.0.0.1:4242/webhooks"),
    typed("webhooks", "--types payment.captured,payment.declined --once --json"),
  ],
)
  .option(
    "--forward <address>",
    "forwards each webhook, byte for byte, and returns your server's status to the platform",
    readForward,
  )
  .option(
    "--types <list>",
    "shows only these types, separated by commas; others are answered as without this option",
    readTypes,
  )
  .option("--once", "ends after the first webhook")
  .option("--json", "prints one JSON object per line, with the event")
  .option("--stack <file>", "the stack.json of the stack, if several are running")
  .action(showWebhooks);

if (import.meta.main) await runScript(script);
