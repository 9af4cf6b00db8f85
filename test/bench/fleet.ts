import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "../../packages/workbench/stack/stack.ts";
import {
  isAnswered,
  LONGEST_WAIT_SECONDS,
  type TerminalMessage,
} from "../../packages/terminal/simulated/terminal-client.ts";
import { makeTills, together, type PaymentBody, type Till } from "./tills.ts";

/** One payment's times at its partner and its terminal, in milliseconds. */
export interface Sample {
  /** From the request until its 202. Refusals while the terminal is still busy with the previous payment are not counted. */
  readonly requestMs: number;
  /** From the 202 until the terminal has the message; negative if the message came first. */
  readonly ringMs: number;
  /** From the request until the webhook `payment.captured` has arrived. */
  readonly wholeMs: number;
  /** For each webhook: from its event's own time until it has arrived. */
  readonly lagsMs: readonly number[];
}

interface Seen {
  /** When the terminal had the message. */
  readonly rang: PromiseWithResolvers<number>;
  /** The platform has taken the terminal's last report. */
  readonly reported: PromiseWithResolvers<void>;
  /** When the webhook of the capture arrived. */
  readonly captured: PromiseWithResolvers<number>;
  readonly lagsMs: number[];
  /** Both webhooks have arrived. */
  readonly told: PromiseWithResolvers<void>;
}

/** The webhooks of an automatic payment: it is in progress, and captured. */
const WEBHOOKS = 2;

/** A payment under way. */
interface Paying {
  /** The customer may go: the platform has taken the terminal's last report. */
  readonly reported: Promise<void>;
  /** Rejects if the payment is refused or lost. */
  readonly sample: Promise<Sample>;
}

interface WebhookBody {
  readonly type: string;
  /** The event's own time. */
  readonly timestamp: string;
  readonly data: { readonly sessionID: string };
}

/** A payment that has not ended by then counts as lost. */
const LOST_AFTER_MS = 60_000;

/**
 * The largest number of partners' servers. Each partner has its own server up to this number, because an origin gets three webhooks at a
 * time.
 */
const MAX_SERVERS = 64;

/** Starts the server and returns its URL. */
async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/hook`;
}

/** Terminals that poll through the gateway and approve at once, and their partners, whose servers receive the webhooks. */
async function startFleet(stack: Stack, count: number, partnerCount: number) {
  const seen = new Map<string, Seen>();
  const hear: RequestListener = (request, response) => {
    void (async () => {
      const [at, date] = [performance.now(), Date.now()];
      const { type, timestamp, data } = JSON.parse(await text(request)) as WebhookBody;
      response.writeHead(204).end();
      const payment = seen.get(data.sessionID);
      payment?.lagsMs.push(date - Date.parse(timestamp));
      if (type === "payment.captured") payment?.captured.resolve(at);
      if (payment?.lagsMs.length === WEBHOOKS) payment.told.resolve();
    })();
  };
  const servers = Array.from({ length: Math.min(partnerCount, MAX_SERVERS) }, () => createServer(hear));
  const webhookUrls = await Promise.all(servers.map(listening));

  const tills = await makeTills(stack, count, partnerCount, webhookUrls);

  async function obey({ client }: Till, message: TerminalMessage): Promise<void> {
    const { sessionID = "", messageID, type, totalAmountInclVat: amount, currency } = message;
    if (type !== "payment" || amount === undefined || currency === undefined) return;
    seen.get(sessionID)?.rang.resolve(performance.now());
    const sendReport = async (type: string, more: object = {}) => {
      const report = { reportID: randomUUID(), type, sessionID, messageID, ...more };
      while (!isAnswered(await client.report(report).catch(() => 503))) await sleep(100);
    };
    await sendReport("accepted");
    await sendReport("authorized", { chargeID: randomUUID(), amount, currency });
    seen.get(sessionID)?.reported.resolve();
  }

  /** Polls and obeys until the signal, which aborts the running poll. */
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

  /** Requests the payment until it is accepted. The terminal may still be busy with the previous payment. */
  async function request({ partner, pointOfServiceID, responseWebhookUrl }: Till, body: PaymentBody): Promise<number> {
    const first = performance.now();
    for (;;) {
      const began = performance.now();
      const { status } = await partner.pay({ ...body, pointOfServiceID, responseWebhookUrl });
      if (status === 202) return began;
      if (status === 503) unavailable++;
      else if (status !== 409) throw new Error(`a request was answered ${status}`);
      if (began - first > LOST_AFTER_MS) throw new Error(`a request was answered ${status} for ${LOST_AFTER_MS} ms`);
      await sleep(status === 503 ? 1_000 : 10);
    }
  }

  async function sampleOf(till: Till, body: PaymentBody, { rang, captured, told, lagsMs }: Seen): Promise<Sample> {
    const lost = new AbortController();
    try {
      const began = await request(till, body);
      const answered = performance.now();
      const times = Promise.all([captured.promise, rang.promise, told.promise]);
      const [arrived, ringing] = await Promise.race([times, lostAfter(till, body, lost.signal)]);
      return { requestMs: answered - began, ringMs: ringing - answered, wholeMs: arrived - began, lagsMs };
    } finally {
      lost.abort();
      seen.delete(body.sessionID);
    }
  }

  /** Rejects when the payment has not been captured in time; never after the signal. */
  async function lostAfter({ partner }: Till, { sessionID }: PaymentBody, signal: AbortSignal): Promise<never> {
    await sleep(LOST_AFTER_MS, undefined, { signal }).catch(() => new Promise(() => {}));
    const { body: found } = await partner.send("GET", `/pos-payment/${sessionID}`);
    const why = `was not captured within ${LOST_AFTER_MS} ms: it is ${found.status} (${found.statusReason})`;
    throw new Error(`the payment ${sessionID} ${why}`);
  }

  function begin(index: number): Paying {
    const till = tills[index % tills.length];
    if (!till) throw new Error("a fleet without terminals");
    const body = till.partner.request({ captureMode: "automatic" });
    const payment: Seen = {
      rang: Promise.withResolvers(),
      reported: Promise.withResolvers(),
      captured: Promise.withResolvers(),
      told: Promise.withResolvers(),
      lagsMs: [],
    };
    seen.set(body.sessionID, payment);
    const sample = sampleOf(till, body, payment);
    sample.catch(() => {}); // its caller may wait for another promise first
    return { reported: payment.reported.promise, sample };
  }

  return {
    /** The number of requests so far that got 503 and were repeated. */
    unavailable: () => unavailable,
    /**
     * Lets this many terminals poll during the work. Each has polled once before the work begins. They begin at random times within this
     * many seconds.
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
    /** Makes one payment at the till of this number, from the request until its last webhook. Rejects if it is refused or lost. */
    pay: (index: number): Promise<Sample> => begin(index).sample,
    /**
     * Makes payments one after the other at each of the first terminals, for this time. A till begins its next payment when the platform
     * has taken the last report of the previous one. It waits for no webhook. Running payments are finished. With `everyMs` a terminal
     * begins one payment in each such interval at a random time, or later if the previous payment still runs.
     */
    async payFor(
      terminals: number,
      seconds: number,
      everyMs = 0,
    ): Promise<{ readonly samples: readonly Sample[]; readonly seconds: number }> {
      const began = performance.now();
      const samples: Promise<Sample>[] = [];
      const till = async (index: number) => {
        let due = began + Math.random() * everyMs;
        for (; due - began < seconds * 1_000; due = Math.max(due + everyMs, performance.now())) {
          await sleep(Math.max(0, due - performance.now()));
          const { reported, sample } = begin(index);
          samples.push(sample);
          await Promise.race([reported, sample]);
        }
      };
      await Promise.all(Array.from({ length: terminals }, (_, index) => till(index)));
      const paid = await Promise.all(samples);
      return { samples: paid, seconds: (performance.now() - began) / 1_000 };
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

/**
 * Runs the work with a fleet of this many terminals, then ends the fleet. Without a number of partners, each terminal has its own partner.
 */
export async function withFleet<T>(
  stack: Stack,
  count: number,
  work: (fleet: Fleet) => Promise<T>,
  partners = count,
): Promise<T> {
  const fleet = await startFleet(stack, count, partners);
  try {
    return await work(fleet);
  } finally {
    await fleet.close();
  }
}
