import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { buildApp } from "../build.ts";
import { findStack, stackOption } from "./directories.ts";
import { samplePayment } from "./first-payment.ts";
import { startStack } from "./stack.ts";
import type { StackFile } from "./stack-file.ts";

// `npm run demo`: one payment, from the partner's request to the webhook at the partner's server, as a timeline. It starts a stack of its
// own, or uses a named one (`npm run demo -- --stack .local/stack.json`). BASE_URL replaces the address of the Partners API.

interface WebhookEvent {
  readonly at: number;
  readonly type: string;
  readonly sequence: number;
  readonly status: string;
}

const GIVE_UP_AFTER_MS = 20_000;
const baseUrl = process.env["BASE_URL"];
const named = stackOption(process.argv.slice(2)).stack;
const directory = await mkdtemp(join(tmpdir(), "terminal-payments-"));
const own = baseUrl === undefined && named === undefined;
const stack = own ? await buildApp().then(() => startStack({ ports: "free", directory })) : undefined;
try {
  const file = stack?.file ?? { ...(await findStack(named)), ...(baseUrl !== undefined && { partnersUrl: baseUrl }) };
  process.exitCode = (await demonstrate(file)) ? 0 : 1;
} finally {
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
}

async function demonstrate(file: StackFile): Promise<boolean> {
  const received: WebhookEvent[] = [];
  const verifier = new Webhook(file.demo.webhookSecret);
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      verifier.verify(body, request.headers as Record<string, string>); // throws when the signature is wrong
      const event = JSON.parse(body) as { type: string; sequence: number; data: { status: string } };
      received.push({ at: performance.now(), type: event.type, sequence: event.sequence, status: event.data.status });
      response.writeHead(204).end();
    })().catch((error: unknown) => {
      console.error(`A webhook failed verification: ${String(error)}`);
      response.writeHead(400).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  try {
    await terminalOnline(file);
    const began = performance.now();
    const line = (who: string, what: string, at = performance.now()) =>
      console.log(`${`+${Math.round(at - began)} ms`.padStart(9)}   ${who.padEnd(9)} ${what}`);
    const payment = { ...samplePayment(file, 125.5, `http://127.0.0.1:${port}/webhooks`), captureMode: "automatic" };
    console.log("\nOne payment of 125.50 SEK, from a partner's server to a card and back\n");
    line("partner", "POST /pos-payment-request");
    const response = await fetch(`${file.partnersUrl}/pos-payment-request`, {
      method: "POST",
      headers: file.demo.headers,
      body: JSON.stringify(payment),
    });
    const answer = (await response.json()) as { status: string };
    line("platform", `${response.status}, the payment is ${answer.status}: stored, and sent to the terminal`);
    if (response.status !== 202) return false;

    const said: Record<string, string> = {
      inProgress: "the terminal has it: it prompts the customer for a card",
      captured: "the card was charged 125.50 SEK",
    };
    for (let shown = 0; performance.now() - began < GIVE_UP_AFTER_MS;) {
      const next = received.toSorted((a, b) => a.sequence - b.sequence)[shown];
      if (!next) {
        await sleep(10);
        continue;
      }
      shown++;
      line("webhook", `${next.type}: ${said[next.status] ?? next.status} (signature verified)`, next.at);
      if (next.status === "captured") {
        console.log(`\nDone: requested, paid and reported in ${Math.round(performance.now() - began)} ms.\n`);
        return true;
      }
    }
    console.error("The webhook did not arrive in time.");
    return false;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Waits until the autopilot counts as online, which needs one poll for messages. */
async function terminalOnline(file: StackFile): Promise<void> {
  const url = `${file.partnersUrl}/pointOfServices/${file.demo.terminals.autopilot.pointOfServiceID}/pos-status`;
  for (let attempt = 0; attempt < 100; attempt++) {
    const status = (await (await fetch(url, { headers: file.demo.headers })).json()) as { online?: boolean };
    if (status.online) return;
    await sleep(50);
  }
  throw new Error("The autopilot terminal did not come online.");
}
