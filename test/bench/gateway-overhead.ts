import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Pool } from "undici";
import { defineBench, type Outcome } from "./bench.ts";
import { percentile, ratioOf, ratioText, round } from "./statistics.ts";

const warmUp = 500;
const rounds = 5;
const requestsPerRound = 1_000;

const body = JSON.stringify({ sessionID: "5b3c1e57-8a5b-4f0e-9d86-4f5d5a1f6a10", totalAmountInclVat: 125.5 });
const headers = { apikey: "pk_1_secret", "ocp-apim-subscription-key": "key", "content-type": "application/json" };
const gatewayMain = join(import.meta.dirname, "../../infra/local/gateway/main.ts");

const echoMain = join(import.meta.dirname, "echo.ts");

async function compare(): Promise<Outcome> {
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
    const backendUrl = await start(echoMain, []);
    const config = join(folder, "gateway.json");
    const subscriptions = [{ id: "bench", primaryKey: "key", secondaryKey: "other" }];
    const namedValues = {
      "partners-functions-key": "own",
      "terminals-functions-key": "own",
      "partner-calls-per-minute": "1000000",
    };
    await writeFile(config, JSON.stringify({ backendUrl, subscriptions, namedValues }));
    const gatewayUrl = await start(gatewayMain, ["--port", "0", "--config", config]);
    return await measure(
      { pool: new Pool(backendUrl), path: "/pos-payment-request" },
      { pool: new Pool(gatewayUrl), path: "/partners/pos-payment-request" },
    );
  } finally {
    await Promise.all(children.map(end));
    await rm(folder, { recursive: true, force: true });
  }
}

interface Way {
  readonly pool: Pool;
  readonly path: string;
}

/** Takes turns, so that the machine's other load affects both. */
async function measure(direct: Way, through: Way): Promise<Outcome> {
  const times = { direct: new Array<readonly number[]>(), through: new Array<readonly number[]>() };
  try {
    await ask(direct, warmUp);
    await ask(through, warmUp);
    for (let round = 0; round < rounds; round++) {
      times.direct.push(await ask(direct, requestsPerRound));
      times.through.push(await ask(through, requestsPerRound));
    }
  } finally {
    await Promise.all([direct.pool.close(), through.pool.close()]);
  }
  const row = (how: string, ms: readonly number[]) => [how, round(percentile(ms, 50), 2), round(percentile(ms, 99), 2)];
  const p50s = (rounds: readonly (readonly number[])[]) => rounds.map((ms) => percentile(ms, 50));
  const ratio = ratioOf(p50s(times.through), p50s(times.direct));
  const added = percentile(times.through.flat(), 50) - percentile(times.direct.flat(), 50);
  return {
    tables: [
      {
        title: "Milliseconds of one request after the other",
        columns: ["", "p50", "p99"],
        rows: [row("directly", times.direct.flat()), row("through the gateway", times.through.flat())],
      },
    ],
    remarks: [`the gateway adds ${added.toFixed(2)} ms at p50: ${ratioText(ratio)} times the backend alone`],
    figures: { addedMs: added, ratio },
  };
}

/** Milliseconds of each request, one after the other over one connection. */
async function ask({ pool, path }: Way, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  while (times.length < count) {
    const began = performance.now();
    const response = await pool.request({ method: "POST", path, headers, body });
    await response.body.text();
    times.push(performance.now() - began);
    if (response.statusCode !== 202) throw new Error(`${path} was answered with ${response.statusCode}`);
  }
  return times;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, "exit");
  child.disconnect();
  await exited;
}

/** A request through the gateway, compared with the same request without it. */
export const gatewayOverhead = defineBench({
  means: "the time that the gateway adds to a request, compared with a direct call of its backend",
  options: {},
  run: compare,
});
