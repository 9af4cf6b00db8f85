import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { samplePayment } from "../first-payment.ts";
import type { StackFile } from "../stack/stack-file.ts";

interface WebhookEvent {
  readonly at: number;
  readonly type: string;
  readonly sequence: number;
  readonly status: string;
}

const GIVE_UP_AFTER_MS = 20_000;
const AMOUNT = 125.5;

/** Plays one payment and prints it. Resolves with whether it was paid and reported. Resolves with false if the signal aborts. */
export async function demonstrate(file: StackFile, signal: AbortSignal): Promise<boolean> {
  const received: WebhookEvent[] = [];
  const receiver = await startReceiver(file.demo.webhookSecret, (event) => received.push(event));
  try {
    await terminalOnline(file, signal);
    const began = performance.now();
    const line = (who: string, what: string, at = performance.now()) =>
      console.log(`${`+${Math.round(at - began)} ms`.padStart(9)}   ${who.padEnd(9)} ${what}`);
    const payment = samplePayment(file, AMOUNT, receiver.url);
    console.log("\nOne payment of 125.50 SEK, from a partner's server to a card and back\n");
    line("partner", "POST /pos-payment-request");
    const request = { method: "POST", headers: file.demo.headers, body: JSON.stringify(payment) };
    const response = await fetch(`${file.baseUrl}/pos-payment-request`, request);
    const answer = (await response.json()) as { readonly status?: string; readonly title?: string };
    if (response.status !== 202) {
      console.error(`The platform refused the payment: ${response.status} ${answer.title}.`);
      return false;
    }
    line("platform", `${response.status}, the payment is ${answer.status}: stored, and sent to the terminal`);

    for (let shown = 0; performance.now() - began < GIVE_UP_AFTER_MS && !signal.aborted;) {
      const next = received.toSorted((a, b) => a.sequence - b.sequence)[shown];
      if (!next) {
        await sleep(10);
        continue;
      }
      shown++;
      line("webhook", `${next.type}: ${said[next.status] ?? next.status} (signature verified)`, next.at);
      if (next.status !== "captured") continue;
      console.log(`\nDone: requested, paid and reported in ${Math.round(performance.now() - began)} ms.\n`);
      return true;
    }
    if (!signal.aborted) console.error("The webhook did not arrive in time.");
    return false;
  } finally {
    receiver.stop();
  }
}

const said: Readonly<Record<string, string>> = {
  inProgress: "the terminal has it: it prompts the customer for a card",
  captured: "the card was charged 125.50 SEK",
};

/** The partner's server. It accepts webhooks with a valid signature. */
async function startReceiver(secret: string, onEvent: (event: WebhookEvent) => void) {
  const verifier = new Webhook(secret);
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      verifier.verify(body, request.headers as Record<string, string>); // throws if the signature is wrong
      const event = JSON.parse(body) as { type: string; sequence: number; data: { status: string } };
      onEvent({ at: performance.now(), type: event.type, sequence: event.sequence, status: event.data.status });
      response.writeHead(204).end();
    })().catch((error: unknown) => {
      console.error(`A webhook failed verification: ${String(error)}`);
      response.writeHead(400).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/webhooks`, stop };
}

/** Waits until the terminal on autopilot is online. It is after its first poll for messages. */
async function terminalOnline(file: StackFile, signal: AbortSignal): Promise<void> {
  const url = `${file.baseUrl}/pointOfServices/${file.demo.terminals.autopilot.pointOfServiceID}/pos-status`;
  for (let attempt = 0; attempt < 100 && !signal.aborted; attempt++) {
    const status = (await (await fetch(url, { headers: file.demo.headers })).json()) as { online?: boolean };
    if (status.online) return;
    await sleep(50);
  }
  if (!signal.aborted) throw new Error("The autopilot terminal did not come online.");
}
