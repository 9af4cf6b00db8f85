import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "../../infra/stack/stack.ts";
import {
  isAnswered,
  LONGEST_WAIT_SECONDS,
  terminalClient,
  type TerminalMessage,
} from "../../infra/terminal/simulated/terminal-client.ts";
import { partnerOn } from "../support/partner.ts";

/** One payment's times at its partner and its terminal, in milliseconds. */
export interface Sample {
  /** From the request until its 202. Refusals while the terminal is still busy with the previous payment are not counted. */
  readonly requestMs: number;
  /** From the 202 until the terminal has the message; below 0 where the message was first. */
  readonly ringMs: number;
  /** From the request until the webhook `payment.captured` has arrived. */
  readonly wholeMs: number;
}

interface Seen {
  /** When the terminal had the message. */
  readonly rang: PromiseWithResolvers<number>;
  /** When the webhook of the capture arrived. */
  readonly captured: PromiseWithResolvers<number>;
}

/** A terminal and its partner. */
async function aTill(stack: Stack) {
  const partner = partnerOn(stack.file, await stack.addPartner({ withoutAutopilot: true }));
  const { terminalKey } = partner.partner.terminals.silent;
  return { partner, client: terminalClient({ terminalsUrl: stack.file.terminalsUrl, terminalKey }) };
}
type Till = Awaited<ReturnType<typeof aTill>>;

/** The number of calls at a time: a thousand at once would wait for each other longer than a call may last. */
const AT_A_TIME = 16;
async function together(times: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < times) await act(next++);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, one));
}

/** A payment that has not ended after this time never will. */
const LOST_AFTER_MS = 60_000;

/** The largest number of partners' servers. Each partner has its own up to this number, because an origin gets three webhooks at a time. */
const MAX_SERVERS = 64;

/** The URL of a server that listens from now on. */
async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/hook`;
}

/** Terminals that poll through the gateway and approve at once, and their partners, whose server receives the webhooks. */
async function startFleet(stack: Stack, count: number) {
  const seen = new Map<string, Seen>();
  const hear: RequestListener = (request, response) => {
    void (async () => {
      const at = performance.now();
      const { type, data } = JSON.parse(await text(request)) as { type: string; data: { sessionID: string } };
      response.writeHead(204).end();
      if (type === "payment.captured") seen.get(data.sessionID)?.captured.resolve(at);
    })();
  };
  const servers = Array.from({ length: Math.min(count, MAX_SERVERS) }, () => createServer(hear));
  const webhookUrls = await Promise.all(servers.map(listening));

  const tills: Till[] = [];
  await together(count, async () => void tills.push(await aTill(stack)));

  async function obey({ client }: Till, message: TerminalMessage): Promise<void> {
    const { sessionID = "", messageID, type, totalAmountInclVat: amount, currency } = message;
    if (type !== "payment" || amount === undefined || currency === undefined) return;
    seen.get(sessionID)?.rang.resolve(performance.now());
    const tell = async (type: string, more: object = {}) => {
      const report = { reportID: randomUUID(), type, sessionID, messageID, ...more };
      while (!isAnswered(await client.report(report).catch(() => 503))) await sleep(100);
    };
    await tell("accepted");
    await tell("authorized", { chargeID: randomUUID(), amount, currency });
  }

  /** Polls, and obeys, until the signal, which cuts the running poll. */
  async function poll(till: Till, signal: AbortSignal): Promise<void> {
    let received: string | undefined;
    while (!signal.aborted) {
      const message = await till.client
        .next(LONGEST_WAIT_SECONDS, { received, signal })
        .catch(() => "refused" as const);
      if (message === "refused" && !signal.aborted) await sleep(250 + Math.random() * 1_000); // with a random wait, as terminals do
      if (!message || message === "refused") continue;
      received = message.messageID;
      void obey(till, message);
    }
  }

  let unavailable = 0;
  return {
    /** The number of requests so far that got 503 and were repeated. */
    unavailable: () => unavailable,
    /**
     * Lets the first so many terminals poll during the work. Each has polled once before the work begins. They begin at random times within
     * so many seconds.
     */
    async whilePolling<T>(terminals: number, work: () => Promise<T>, withinSeconds = 0): Promise<T> {
      const stopping = new AbortController();
      const polling = tills.slice(0, terminals);
      await together(polling.length, async (index) => void (await polling[index]?.client.next(0)));
      const polls = polling.map(async (till) => {
        await sleep(Math.random() * withinSeconds * 1_000);
        await poll(till, stopping.signal);
      });
      try {
        return await work();
      } finally {
        stopping.abort();
        await Promise.all(polls);
      }
    },
    /** One payment at the till of this number, from the request until its last webhook. Throws where it is refused or lost. */
    async pay(index: number): Promise<Sample> {
      const till = tills[index % tills.length];
      if (!till) throw new Error("a fleet without terminals");
      const responseWebhookUrl = webhookUrls[index % webhookUrls.length];
      const body = till.partner.request({ captureMode: "automatic", responseWebhookUrl });
      const payment = { rang: Promise.withResolvers<number>(), captured: Promise.withResolvers<number>() };
      seen.set(body.sessionID, payment);
      payment.rang.promise.catch(() => {}); // the other promise reports it
      let lost: NodeJS.Timeout | undefined;
      try {
        const first = performance.now();
        let began = first;
        for (;;) {
          began = performance.now();
          const { status } = await till.partner.pay(body);
          if (status === 202) break;
          // The terminal stays busy for a moment after the capture's webhook, until a worker releases it.
          if (status === 503) unavailable++;
          else if (status !== 409) throw new Error(`a request was answered ${status}`);
          if (began - first > LOST_AFTER_MS)
            throw new Error(`a request was answered ${status} for ${LOST_AFTER_MS} ms`);
          await sleep(status === 503 ? 1_000 : 10);
        }
        lost = setTimeout(() => {
          void (async () => {
            const { body: found } = await till.partner.send("GET", `/pos-payment/${body.sessionID}`);
            const why = `was not captured within ${LOST_AFTER_MS} ms: it is ${found.status} (${found.statusReason})`;
            throw new Error(`the payment ${body.sessionID} ${why}`);
          })().catch((error: unknown) => {
            payment.rang.reject(error);
            payment.captured.reject(error);
          });
        }, LOST_AFTER_MS);
        const answered = performance.now();
        const captured = await payment.captured.promise;
        const rang = await payment.rang.promise;
        return { requestMs: answered - began, ringMs: rang - answered, wholeMs: captured - began };
      } finally {
        clearTimeout(lost);
        seen.delete(body.sessionID);
      }
    },
    /**
     * Payments one after the other at each of the first so many terminals, for this time. Running ones are finished. With `everyMs` a
     * terminal begins one payment in each such interval, at a random time of its own, or later where the previous one still runs.
     */
    async payFor(
      terminals: number,
      seconds: number,
      everyMs = 0,
    ): Promise<{ readonly samples: readonly Sample[]; readonly seconds: number }> {
      const began = performance.now();
      const samples: Sample[] = [];
      const till = async (index: number) => {
        let due = began + Math.random() * everyMs;
        for (; due - began < seconds * 1_000; due = Math.max(due + everyMs, performance.now())) {
          await sleep(Math.max(0, due - performance.now()));
          samples.push(await this.pay(index));
        }
      };
      await Promise.all(Array.from({ length: terminals }, (_, index) => till(index)));
      return { samples, seconds: (performance.now() - began) / 1_000 };
    },
    async close(): Promise<void> {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}
export type Fleet = Awaited<ReturnType<typeof startFleet>>;

/** Runs the work with a fleet, and ends the fleet. */
export async function withFleet<T>(stack: Stack, count: number, work: (fleet: Fleet) => Promise<T>): Promise<T> {
  const fleet = await startFleet(stack, count);
  try {
    return await work(fleet);
  } finally {
    await fleet.close();
  }
}
