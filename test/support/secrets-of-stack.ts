import type { DemoPartner } from "../../infra/operator/common/seed.ts";
import type { Stack } from "../../packages/workbench/stack/stack.ts";
import type { CaughtMail } from "../../packages/workbench/stack/mail-sink/sink.ts";
import { secretsIn, type Secret } from "./secret-search.ts";

/** All secrets of a stack: its keys and settings, its partners' keys, and the codes and addresses of the mails it has sent. */
export async function secretsOf(stack: Stack, partners: readonly DemoPartner[] = []): Promise<Secret[]> {
  const { demo, mails } = stack.file;
  const { basic, functionKeys } = demo.consumer;
  const [, password = ""] = Buffer.from(basic, "base64").toString("utf8").split(":");
  const sent = (await (await fetch(mails)).json()) as CaughtMail[];
  return [
    ...secretsIn("stack", stack.secrets),
    ...secretsIn("consumer", JSON.parse(String(stack.secrets["CONSUMER_CREDENTIALS"]))),
    ...secretsIn("consumer", { basic, password, functionKeys }),
    ...[demo, ...partners].flatMap(({ apikey, webhookSecret, terminals }) =>
      secretsIn("partner", {
        apikey,
        webhookSecret,
        terminals: Object.values(terminals).map(({ terminalKey }) => terminalKey),
      }),
    ),
    ...sent.flatMap(({ address, text }) => secretsIn("mail", { address, codes: codesIn(text) })),
  ];
}

/** The code of a token as the mail shows it, and as a customer might type it. */
const codesIn = (text: string): string[] =>
  [...text.matchAll(/(?:[0-9A-Z]{4}-){3}[0-9A-Z]{3}[0-9A-Z*~$=]/g)].flatMap(([code]) => [
    code,
    code.replaceAll("-", ""),
  ]);
