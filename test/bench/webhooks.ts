import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "../../infra/tools/build.ts";
import { startStack, type Stack } from "../../packages/workbench/stack/stack.ts";
import { terminalClient, type TerminalClient } from "../../packages/terminal/simulated/terminal-client.ts";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import { tablePorts } from "../../shared/stores/stores.ts";
import { waitFor } from "../support/wait-for.ts";
import { defineBench } from "./bench.ts";
import { percentile } from "./statistics.ts";

// The effect of ten hanging endpoints on the webhooks of fifty partners whose servers respond. Both runs have the same five hundred events
// to the ten; in the first run the ten respond.

const HANGING = 10;
const HEALTHY = 50;
const EVENTS_TO_HANGING = 500;
const EVENTS_TO_HEALTHY = 400;
const HEALTHY_PER_SECOND = 20;

interface BenchPartner {
  readonly terminal: TerminalClient;
  readonly server: Server;
}

/** When each event arrived at its partner's server, by its action request. */
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
  const read = await partners.read(added.partnerID);
  if (!read) throw new Error("the partner that was added is gone");
  await partners.save({ ...read.partner, webhookUrl: `http://127.0.0.1:${port}/hook` }, read.etag);
  const { terminalKey } = added.terminals.silent;
  return { terminal: terminalClient({ terminalsUrl: stack.file.terminalsUrl, terminalKey }), server };
}

/**
 * Raises an action request, whose event goes to the partner's server. Returns the milliseconds from its response until the event arrives.
 */
async function raise({ terminal }: BenchPartner): Promise<{ readonly id: string; readonly at: number }> {
  const id = randomUUID();
  const status = await terminal.raiseActionRequest({ actionRequestID: id, actionCode: "bench" });
  if (status >= 300) throw new Error(`raise-action-request answered ${status}`);
  return { id, at: performance.now() };
}

/** Milliseconds from an action request's response until its event arrives, for each event to a server that responds. */
async function delays(hanging: readonly BenchPartner[], healthy: readonly BenchPartner[]): Promise<readonly number[]> {
  for (let sent = 0; sent < EVENTS_TO_HANGING; sent += hanging.length) await Promise.all(hanging.map(raise));
  const raised: Promise<{ readonly id: string; readonly at: number }>[] = [];
  for (let i = 0; i < EVENTS_TO_HEALTHY; i++) {
    const partner = healthy[i % healthy.length];
    if (partner) raised.push(raise(partner));
    await sleep(1_000 / HEALTHY_PER_SECOND);
  }
  const events = await Promise.all(raised);
  const missing = async () => events.filter(({ id }) => !arrived.has(id));
  await waitFor("the events of those that respond", missing, {
    until: ({ length }) => length === 0,
    withinMs: 180_000,
  });
  return events.map(({ id, at }) => (arrived.get(id) ?? 0) - at);
}

/** Webhooks while some endpoints hang. */
export const webhooks = defineBench({
  means: "webhooks to fifty servers that respond, next to ten that respond too, and next to ten that hang",
  options: {},
  async run(_, progress) {
    await buildApp();
    const directory = await mkdtemp(join(tmpdir(), "hanging-webhooks-"));
    const stack = await startStack({ ports: "free", directory, settings: { ACTION_SECONDS: "3600" } });
    const servers: Server[] = [];
    try {
      const some = async (count: number, hangs: boolean) => {
        const partners: BenchPartner[] = [];
        for (let i = 0; i < count; i++) {
          const partner = await aPartner(stack, hangs);
          servers.push(partner.server);
          partners.push(partner);
        }
        return partners;
      };
      const [hanging, healthy] = [await some(HANGING, true), await some(HEALTHY, false)];
      await delays(hanging, healthy);
      progress("warm");
      const without = await delays(hanging, healthy);
      progress("measured while all respond");
      isHanging = true;
      const withHanging = await delays(hanging, healthy);
      const row = (what: string, ms: readonly number[]) => [
        what,
        ...[50, 99, 100].map((percent) => Math.round(percentile(ms, percent))),
      ];
      const allowed = Math.round(1.3 * percentile(without, 99) + 100);
      return {
        tables: [
          {
            title: "Milliseconds until the event arrives at a server that responds",
            columns: ["", "p50", "p99", "slowest"],
            rows: [row("all of them respond", without), row("ten of them hang", withHanging)],
          },
        ],
        remarks: [`p99 is held to 1.3 times that without those that hang, and 100 ms: ${allowed} ms`],
        figures: { delaysMs: { without, withHanging }, p99AllowedMs: allowed },
      };
    } finally {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await stack.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
});
