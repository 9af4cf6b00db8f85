import { randomUUID } from "node:crypto";
import { buildApp } from "../../infra/build.ts";
import type { StackFile } from "../../infra/local/stack-file.ts";
import { defineBench, type Tell } from "./bench.ts";
import { onStack } from "./bench-stack.ts";
import { percentile, round } from "./statistics.ts";

// The cost of a hundred password guesses at once, every second, for a web application with the right password, and for a partner. The
// guesses go directly to the host, each from its own address, so that no limit by address delays them.

const GUESSERS = 100;
const WAVE_MS = 1_000;
const REQUESTS = 400;
const PAUSE_MS = 20;

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

function callers({ functionsUrl, consumerUrl, partnersUrl, demo }: StackFile) {
  const { consumer } = demo;
  const post = (url: string, authorization: string, more: Record<string, string> = {}) =>
    fetch(`${url}/landing-page-request`, {
      method: "POST",
      headers: {
        authorization,
        "x-functions-key": consumer.functionKeys["landing-page-request"],
        "content-type": "application/json",
        ...more,
      },
      // A wrong body, so that only the check of the credentials is timed, and no mail is sent.
      body: JSON.stringify({ landingPageID: randomUUID() }),
    });
  const [user = ""] = Buffer.from(consumer.basic, "base64").toString().split(":");
  const guess = (of: string) =>
    post(functionsUrl, basic(`${of}:${randomUUID()}`), { "x-caller-address": randomUUID() });
  return {
    guess: () => guess(user),
    guessOfOthers: () => guess(randomUUID()),
    right: () => post(consumerUrl, `Basic ${consumer.basic}`),
    partner: () =>
      fetch(`${partnersUrl}/pointOfServices/${demo.terminals.silent.pointOfServiceID}/pos-status`, {
        headers: demo.headers,
      }),
  };
}

type Ask = () => Promise<Response>;

/** Milliseconds and statuses of one request after the other. */
async function timed(ask: Ask) {
  const times: number[] = [];
  const statuses = new Map<number, number>();
  for (let i = 0; i < REQUESTS; i++) {
    const began = performance.now();
    const response = await ask();
    await response.arrayBuffer();
    times.push(performance.now() - began);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return { p50: percentile(times, 50), p95: percentile(times, 95), statuses };
}

/** A hundred guesses at once, every second, until it is stopped. Yields the number of guesses by status. */
function guessing(guess: Ask) {
  const statuses = new Map<number, number>();
  const under = new Set<Promise<void>>();
  const one = async () => {
    const response = await guess();
    await response.arrayBuffer();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  };
  const wave = () => {
    for (let i = 0; i < GUESSERS; i++) {
      const sent = one().finally(() => under.delete(sent));
      under.add(sent);
    }
  };
  wave();
  const waves = setInterval(wave, WAVE_MS);
  return async () => {
    clearInterval(waves);
    await Promise.all(under);
    return statuses;
  };
}

const statusText = (statuses: ReadonlyMap<number, number>) =>
  [...statuses].map(([status, times]) => `${times} × ${status}`).join(", ");

async function measure(stack: StackFile, tell: Tell) {
  const { guess, guessOfOthers, right, partner } = callers(stack);
  await right();
  const rows: (readonly [string, string, number, number, string, string])[] = [];
  for (const [who, ask] of Object.entries({ "right password": right, partner })) {
    const quiet = await timed(ask);
    rows.push([who, "none", round(quiet.p50), round(quiet.p95), statusText(quiet.statuses), ""]);
    for (const [whose, attempt] of Object.entries({ "of the user": guess, "of other users": guessOfOthers })) {
      const stop = guessing(attempt);
      try {
        const loud = await timed(ask);
        rows.push([who, whose, round(loud.p50), round(loud.p95), statusText(loud.statuses), statusText(await stop())]);
      } finally {
        await stop();
      }
      tell(`${who}: measured under guesses ${whose}`);
    }
  }
  return rows;
}

/** Callers with the right password, and partners, while passwords are guessed. */
export const passwordGuesses = defineBench({
  means: "a web application with the right password, and a partner, under a hundred guesses a second",
  options: {},
  async run(_, tell) {
    await buildApp();
    const columns = ["who", "guesses", "p50 ms", "p95 ms", "responses", "responses to guesses"];
    const rows = await onStack({}, (stack) => measure(stack.file, tell));
    const figures = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
    return { tables: [{ title: "Requests while passwords are guessed", columns, rows }], figures };
  },
});
