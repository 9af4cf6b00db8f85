// What the gateway adds to a request, beside asking the backend directly: `node test/bench/gateway-overhead.ts`.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { Pool } from "undici";

const warmUp = 500;
const rounds = 5;
const requestsPerRound = 1_000;

const body = JSON.stringify({ sessionID: "5b3c1e57-8a5b-4f0e-9d86-4f5d5a1f6a10", totalAmountInclVat: 125.5 });
const headers = { apikey: "pk_1_secret", "ocp-apim-subscription-key": "key", "content-type": "application/json" };
const gatewayMain = join(import.meta.dirname, "../../infra/local/gateway/main.ts");

if (process.argv[2] === "echo") {
  await echo();
} else {
  await compare();
}

/** The backend, in a process of its own. */
async function echo(): Promise<void> {
  const server = createServer((request, response) => {
    void (async () => {
      response.writeHead(202, { "content-type": "application/json" }).end(await text(request));
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  console.log(JSON.stringify({ port: typeof address === "object" && address ? address.port : 0 }));
  process.once("disconnect", () => process.exit(0));
}

async function compare(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-bench-"));
  const children: ChildProcess[] = [];
  const start = async (script: string, args: readonly string[]): Promise<string> => {
    const child = fork(script, args, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
    children.push(child);
    if (!child.stdout) throw new Error(`${script} cannot be heard`);
    for await (const line of createInterface({ input: child.stdout })) {
      return `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}`;
    }
    throw new Error(`${script} ended before it was ready`);
  };
  try {
    const backendUrl = await start(import.meta.filename, ["echo"]);
    const config = join(folder, "gateway.json");
    const subscriptions = [{ id: "bench", primaryKey: "key", secondaryKey: "other" }];
    const namedValues = {
      "partners-functions-key": "own",
      "terminals-functions-key": "own",
      "partner-calls-per-minute": "1000000",
    };
    await writeFile(config, JSON.stringify({ backendUrl, subscriptions, namedValues }));
    const gatewayUrl = await start(gatewayMain, ["--port", "0", "--config", config]);
    await measure(backendUrl, "/pos-payment-request", gatewayUrl, "/partners/pos-payment-request");
  } finally {
    await Promise.all(children.map(end));
    await rm(folder, { recursive: true, force: true });
  }
}

/** In turns, so that what else the machine does falls on both. */
async function measure(directUrl: string, directPath: string, gatewayUrl: string, gatewayPath: string): Promise<void> {
  const direct = { pool: new Pool(directUrl), path: directPath, times: new Array<number>() };
  const through = { pool: new Pool(gatewayUrl), path: gatewayPath, times: new Array<number>() };
  for (const way of [direct, through]) {
    await ask(way, warmUp);
    way.times = [];
  }
  for (let round = 0; round < rounds; round++) {
    await ask(direct, requestsPerRound);
    await ask(through, requestsPerRound);
  }
  await Promise.all([direct.pool.close(), through.pool.close()]);
  report("directly", direct.times);
  report("through the gateway", through.times);
  console.log(
    `the gateway adds ${(percentile(through.times, 50) - percentile(direct.times, 50)).toFixed(2)} ms at p50`,
  );
}

/** One request after the other, over one connection. */
async function ask(way: { pool: Pool; path: string; times: number[] }, count: number): Promise<void> {
  for (let asked = 0; asked < count; asked++) {
    const began = performance.now();
    const response = await way.pool.request({ method: "POST", path: way.path, headers, body });
    await response.body.text();
    way.times.push(performance.now() - began);
    if (response.statusCode !== 202) throw new Error(`${way.path} was answered with ${response.statusCode}`);
  }
}

function report(how: string, times: readonly number[]): void {
  console.log(`${how}: p50 ${percentile(times, 50).toFixed(2)} ms, p99 ${percentile(times, 99).toFixed(2)} ms`);
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length * percent) / 100)] ?? Number.NaN;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, "exit");
  child.disconnect();
  await exited;
}
