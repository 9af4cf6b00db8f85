import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStack, type Stack } from "../../../infra/local/stack.ts";
import { startFaultProxy, type Fate, type FaultProxy } from "../../support/fault-proxy.ts";
import { partnerOn } from "../../support/partner.ts";
import { waitFor } from "../../support/wait-for.ts";
import { startWebhookServer } from "../../support/webhook-server.ts";

// SIGKILL of the Functions host at named places of the protocol, seen from outside: by the requests it makes to its tables.

interface Cut {
  /** Which request to Table Storage is the place. */
  readonly at: (body: string) => boolean;
  /** Whether that request still takes place. */
  readonly fate: Fate;
}

const isCommit = (body: string) => body.includes("history~000001");
const isAdmission = (body: string) => body.includes("inbox~") && body.includes("terminal~claim");

let directory: string;
let proxy: FaultProxy;
let stack: Stack;
let cut: (Cut & { readonly killed: () => void }) | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "power-cut-"));
  stack = await startStack({
    ports: "free",
    directory,
    settings: { COMMIT_WINDOW_SECONDS: "2", LEASE_SECONDS: "2" },
    queueOverrides: { LockDuration: "PT5S", MaxDeliveryCount: 50 }, // a dead host's locks would last a minute
    between: async (real) => {
      proxy = await startFaultProxy({ targetPort: real.tables, onRequest: ({ body }) => fateOf(body) });
      return { ...real, tables: proxy.port };
    },
  });
});
afterAll(async () => {
  await stack.stop();
  await proxy.close();
  await rm(directory, { recursive: true, force: true });
});

async function fateOf(body: string): Promise<Fate> {
  const here = cut;
  if (!here?.at(body)) return "pass";
  cut = undefined;
  await stack.killFunctions();
  here.killed();
  return here.fate;
}

/** Has the next host die at this place, then starts another. */
async function powerCut(where: Cut, act: () => Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  cut = { ...where, killed: resolve };
  await Promise.all([promise, act()]);
  await stack.startFunctions();
}

describe("a power cut", () => {
  it.each<[string, Cut]>([
    ["between announcement and commit", { at: isCommit, fate: "drop-request" }],
    ["between commit and answer", { at: isCommit, fate: "drop-response" }],
    ["before the message is delivered", { at: isAdmission, fate: "drop-request" }],
    ["between delivery and its note that it is done", { at: isAdmission, fate: "drop-response" }],
  ])(
    "%s loses no payment and doubles none",
    async (_, where) => {
      const added = await stack.addPartner();
      const partner = partnerOn(stack.file, added);
      const webhooks = await startWebhookServer(added.webhookSecret);
      try {
        await partner.silent.online();
        const body = partner.request({ responseWebhookUrl: webhooks.url });

        await powerCut(where, () => partner.pay(body).catch(() => "the connection is gone"));
        await partner.silent.online();
        const retried = await waitFor("the retried request", async () => {
          const answer = await partner.pay(body).catch(() => undefined);
          return answer?.status === 202 ? answer : undefined;
        });
        expect(retried.body).toMatchObject({ sessionID: body.sessionID, status: "pending" });

        const message = await partner.silent.next();
        expect(message).toMatchObject({ type: "payment", sessionID: body.sessionID, totalAmountInclVat: 125.5 });
        await partner.silent.tell(message, "accepted");
        await partner.silent.tell(message, "authorized", { amount: 125.5, currency: "SEK" });
        await webhooks.until("payment.authorized", body.sessionID);
        await webhooks.until("payment.inProgress", body.sessionID);

        expect(await partner.read(body.sessionID)).toMatchObject({ status: "authorized", sequence: 3 });
        expect(await partner.silent.client.next(3)).toBeUndefined(); // longer than a lease: nothing else was ever filed
        const ids = new Map(webhooks.received.map((r) => [r.webhookId, r.body]));
        expect(webhooks.received.every((r) => ids.get(r.webhookId) === r.body)).toBe(true);
        expect(ids.size).toBe(2);
      } finally {
        await webhooks.close();
      }
    },
    90_000,
  );
});
