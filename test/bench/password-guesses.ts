import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp } from "../../infra/build.ts";
import { startStack, type StackFile } from "../../infra/local/stack.ts";

// `node test/bench/password-guesses.ts`: what a hundred guesses of a password at once, second after second, cost a web application that has the
// right one, and a partner. They come straight to the host, each from an address of its own, so that no limit by address holds them back.

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
      // A wrong body: what is timed is the credentials' check, and no mail is sent.
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

/** The statuses, and the time that 95 of 100 do not exceed. */
async function timed(ask: Ask): Promise<{ p50: number; p95: number; statuses: Map<number, number> }> {
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
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), statuses };
}

/** A hundred guesses at once, every second, until it is stopped. Yields how many of them were answered how. */
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

const told = (statuses: ReadonlyMap<number, number>) =>
  [...statuses].map(([status, times]) => `${times} × ${status}`).join(", ");

async function measure(stack: StackFile): Promise<void> {
  const { guess, guessOfOthers, right, partner } = callers(stack);
  await right();
  for (const [who, ask] of Object.entries({ "right password": right, partner })) {
    const quiet = await timed(ask);
    console.log(
      `${who}, quiet: p50 ${quiet.p50.toFixed(1)} ms, p95 ${quiet.p95.toFixed(1)} ms; ${told(quiet.statuses)}`,
    );
    for (const [whose, attempt] of Object.entries({ "of the user": guess, "of other users": guessOfOthers })) {
      const stop = guessing(attempt);
      const loud = await timed(ask);
      const guesses = await stop();
      const times = (loud.p95 / quiet.p95).toFixed(1);
      console.log(
        `${who}, under guesses ${whose}: p50 ${loud.p50.toFixed(1)} ms, p95 ${loud.p95.toFixed(1)} ms (${times} × quiet); ${told(loud.statuses)}; guesses: ${told(guesses)}`,
      );
    }
  }
}

await buildApp();
const directory = await mkdtemp(join(tmpdir(), "password-guesses-"));
const stack = await startStack({ ports: "free", directory });
try {
  await measure(stack.file);
} finally {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
}
