import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "../../infra/build.ts";
import { startStack, type Stack } from "../../infra/local/stack.ts";
import { terminalClient, type TerminalClient } from "../../infra/local/terminal/terminal-client.ts";
import { azureTables } from "../../shared/tables/azure-tables.ts";
import { tablePorts } from "../../shared/tables/table-ports.ts";
import { waitFor } from "../support/wait-for.ts";

// `node test/bench/hanging-webhooks.ts`: what ten endpoints that hang cost the webhooks of fifty partners whose servers answer. Both runs
// have the same five hundred events to the ten; in the first the ten answer.

const HANGING = 10;
const HEALTHY = 50;
const EVENTS_TO_HANGING = 500;
const EVENTS_TO_HEALTHY = 400;
const HEALTHY_PER_SECOND = 20;

interface BenchPartner {
  readonly terminal: TerminalClient;
  readonly server: Server;
}

/** When each event arrived at its partner's server, by the action request that it is about. */
const arrived = new Map<string, number>();
let isHanging = false;

async function aServer(hangs: boolean): Promise<Server> {
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const { data } = JSON.parse(await text(request)) as { data: { actionRequestID: string } };
      if (hangs && isHanging) return void held.push(response);
      arrived.set(data.actionRequestID, arrived.get(data.actionRequestID) ?? performance.now());
      response.writeHead(204).end();
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function aPartner(stack: Stack, hangs: boolean): Promise<BenchPartner> {
  const [added, server] = await Promise.all([stack.addPartner({ withoutAutopilot: true }), aServer(hangs)]);
  const { port } = server.address() as AddressInfo;
  const { partners } = tablePorts(azureTables(stack.file.tables));
  await partners.save({
    partnerId: added.partnerID,
    name: "A partner",
    webhookUrl: `http://127.0.0.1:${port}/hook`,
    webhookSecrets: [added.webhookSecret],
  });
  const { terminalKey } = added.terminals.silent;
  return { terminal: terminalClient({ terminalsUrl: stack.file.terminalsUrl, terminalKey }), server };
}

/** Raises a question, whose event goes to the partner's server; milliseconds from its answer until the event arrives. */
async function raise({ terminal }: BenchPartner): Promise<{ readonly id: string; readonly at: number }> {
  const id = randomUUID();
  const status = await terminal.raiseActionRequest({ actionRequestID: id, actionCode: "bench" });
  if (status >= 300) throw new Error(`raise-action-request answered ${status}`);
  return { id, at: performance.now() };
}

const ofRank = (sorted: readonly number[], rank: number) =>
  Math.round(sorted[Math.ceil(sorted.length * rank) - 1] ?? 0);

async function run(what: string, hanging: readonly BenchPartner[], healthy: readonly BenchPartner[]): Promise<number> {
  for (let sent = 0; sent < EVENTS_TO_HANGING; sent += hanging.length) await Promise.all(hanging.map(raise));
  const raised: Promise<{ readonly id: string; readonly at: number }>[] = [];
  for (let i = 0; i < EVENTS_TO_HEALTHY; i++) {
    const partner = healthy[i % healthy.length];
    if (partner) raised.push(raise(partner));
    await sleep(1_000 / HEALTHY_PER_SECOND);
  }
  const events = await Promise.all(raised);
  await waitFor(
    "the events of those that answer",
    async () => (events.every(({ id }) => arrived.has(id)) ? true : undefined),
    180_000,
  );
  const delays = events.map(({ id, at }) => (arrived.get(id) ?? 0) - at).toSorted((a, b) => a - b);
  const p99 = ofRank(delays, 0.99);
  console.log(`${what.padEnd(28)} p50 ${ofRank(delays, 0.5)} ms, p99 ${p99} ms, slowest ${ofRank(delays, 1)} ms`);
  return p99;
}

await buildApp();
const directory = await mkdtemp(join(tmpdir(), "hanging-webhooks-"));
const stack = await startStack({ ports: "free", directory, settings: { ACTION_SECONDS: "3600" } });
const servers: Server[] = [];
try {
  const some = async (count: number, hangs: boolean) => {
    const partners: BenchPartner[] = [];
    for (let i = 0; i < count; i++) partners.push(await aPartner(stack, hangs));
    servers.push(...partners.map(({ server }) => server));
    return partners;
  };
  const [hanging, healthy] = [await some(HANGING, true), await some(HEALTHY, false)];
  await run("to warm up", hanging, healthy);
  const without = await run("all of them answer", hanging, healthy);
  isHanging = true;
  const with_ = await run("ten of them hang", hanging, healthy);
  console.log(
    `p99 with those that hang: ${with_} ms; 1.3 times without, and 100 ms: ${Math.round(1.3 * without + 100)} ms`,
  );
} finally {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
}
