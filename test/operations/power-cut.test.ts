import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { partnerOn } from "../support/partner.ts";
import { startTroubledStack, type PowerCut, type TroubledStack } from "../support/troubled-stack.ts";
import { LONG, waitFor } from "../support/wait-for.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

// SIGKILL of the Functions host at named places of the protocol. The test recognizes a place by the host's requests to its tables.

const isCommit = (body: string) => body.includes("history~000001");
const isBell = (body: string) => body.includes("terminalIds");
const isLease = (body: string) => body.includes("leasedUntil");

let troubled: TroubledStack;
beforeAll(async () => {
  troubled = await startTroubledStack({
    settings: { COMMIT_WINDOW_SECONDS: "2", LEASE_SECONDS: "2" },
    queueOverrides: { LockDuration: "PT5S", MaxDeliveryCount: 50 }, // a dead host keeps its locks
  });
});
afterAll(async () => troubled.stop());

/** Kills the next host that reaches this place, then starts another. The terminal polls only if it is to reach its message. */
async function powerCut(where: PowerCut, act: () => Promise<unknown>, poll: () => Promise<unknown>): Promise<void> {
  const killed = troubled.killedAt(where);
  await act().catch(() => "the connection is gone");
  if (where.at === isLease) await poll().catch(() => "the connection is gone");
  await killed;
  await troubled.stack.startFunctions();
}

describe("a power cut", () => {
  it.each<[string, PowerCut]>([
    ["between announcement and commit", { at: isCommit, fate: "drop-request" }],
    ["between commit and answer", { at: isCommit, fate: "drop-response" }],
    ["between the release of the message and the terminal's bell", { at: isBell, fate: "drop-request" }],
    ["as the terminal fetches the message", { at: isLease, fate: "drop-request" }],
    ["between the note that the terminal has the message and its answer", { at: isLease, fate: "drop-response" }],
  ])("%s loses no payment and duplicates none", async (_, where) => {
    const { stack } = troubled;
    const added = await stack.addPartner();
    const partner = partnerOn(stack.file, added, LONG);
    const webhooks = await startWebhookServer(added.webhookSecret, undefined, LONG);
    try {
      await partner.silent.online();
      const body = partner.request({ responseWebhookUrl: webhooks.url });

      await powerCut(
        where,
        () => partner.pay(body),
        () => partner.silent.client.next(20),
      );
      await partner.silent.online();
      const retried = await waitFor("the retried request", () => partner.pay(body).catch(() => undefined), {
        ...LONG,
        until: ({ status }) => status === 202,
      });
      expect(retried.body).toMatchObject({ sessionID: body.sessionID, status: "pending" });

      const message = await partner.silent.next();
      expect(message).toMatchObject({ type: "payment", sessionID: body.sessionID, totalAmountInclVat: 125.5 });
      await partner.silent.sendReport(message, "accepted");
      await partner.silent.sendReport(message, "authorized");
      await webhooks.until("payment.authorized", body.sessionID);
      await webhooks.until("payment.inProgress", body.sessionID);

      expect(await partner.read(body.sessionID)).toMatchObject({ status: "authorized", sequence: 3 });
      expect(await partner.silent.client.next(3)).toBeUndefined(); // longer than a lease: no other message was ever put into the inbox
      const ids = new Map(webhooks.received.map((r) => [r.webhookId, r.body]));
      expect(webhooks.received.every((r) => ids.get(r.webhookId) === r.body)).toBe(true);
      expect(ids.size).toBe(2);
    } finally {
      await webhooks.close();
    }
  });
});
