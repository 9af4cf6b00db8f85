import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startStack, type Stack } from "../../../infra/local/stack.ts";
import { startFaultProxy, type Fate, type FaultProxy } from "../../support/fault-proxy.ts";
import { partnerOn } from "../../support/partner.ts";
import { waitFor } from "../../support/wait-for.ts";
import { startWebhookServer } from "../../support/webhook-server.ts";

let directory: string;
let stack: Stack;
let proxy: FaultProxy;
let onCommit: (() => Promise<Fate>) | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "repair-"));
  stack = await startStack({
    ports: "free",
    directory,
    settings: { ACCEPTANCE_SECONDS: "60" },
    between: async (real) => {
      const onRequest = async ({ body }: { body: string }): Promise<Fate> => {
        const act = body.includes("history~") ? onCommit : undefined;
        return act ? act() : "pass";
      };
      proxy = await startFaultProxy({ targetPort: real.tables, onRequest });
      return { ...real, tables: proxy.port };
    },
  });
});
afterAll(async () => {
  await stack.stop();
  await proxy.close();
  await rm(directory, { recursive: true, force: true });
});

async function admin(...args: string[]): Promise<string> {
  const main = fileURLToPath(new URL("../../../infra/admin/main.ts", import.meta.url));
  const { tables, serviceBus } = stack.file;
  const env = { ...process.env, TABLES_CONNECTION: tables, SERVICE_BUS_CONNECTION: serviceBus };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  return text(child.stdout);
}

/** Kills the host as it commits, so that all it announced is still in the queues; then the queues lose everything. */
async function loseEveryMessage(act: () => Promise<unknown>): Promise<void> {
  const killed = Promise.withResolvers<void>();
  onCommit = async () => {
    onCommit = undefined;
    await stack.killFunctions();
    killed.resolve();
    return "drop-response";
  };
  await Promise.all([killed.promise, act().catch(() => "the connection is gone")]);
  await stack.purgeServiceBus();
  await stack.startFunctions();
}

it("repair announces again what was committed and never delivered, after every queue message was lost", async () => {
  const added = await stack.addPartner();
  const partner = partnerOn(stack.file, added);
  const webhooks = await startWebhookServer(added.webhookSecret);
  try {
    await partner.silent.online();
    const body = partner.request({ responseWebhookUrl: webhooks.url });
    await loseEveryMessage(() => partner.pay(body));
    expect(await partner.silent.client.next(1)).toBeUndefined();

    expect(await admin("repair", "--dry-run")).toMatch(/admission .*\n(.*\n)*2 effects would be announced again/);
    expect(await partner.silent.client.next(1)).toBeUndefined();
    expect(await admin("repair", "--since", "2026-01-01T00:00:00Z")).toContain("2 effects announced again");

    const message = await partner.silent.next();
    expect(message).toMatchObject({ type: "payment", sessionID: body.sessionID });
    await loseEveryMessage(() => partner.silent.tell(message, "declined"));
    await waitFor("the report told again", async () =>
      (await partner.silent.tell(message, "declined")) === 200 ? true : undefined,
    );
    expect(webhooks.received).toEqual([]);

    await admin("repair");
    await webhooks.until("payment.declined", body.sessionID);
    const left = async () =>
      (await admin("repair", "--dry-run")).split("\n").filter((line) => line.includes("command"));
    await waitFor("nothing left to repair but deadlines to come", async () =>
      (await left()).every((line) => line.startsWith("deadline~")) ? true : undefined,
    );
    expect(
      (await partner.send("GET", `/pointOfServices/${added.terminals.silent.pointOfServiceID}/pos-status`)).body,
    ).toMatchObject({ statusCode: "available" });
  } finally {
    await webhooks.close();
  }
}, 60_000);
