import { afterAll, beforeAll, expect, it } from "vitest";
import { operatorOf } from "../support/admin.ts";
import { partnerOn } from "../support/partner.ts";
import { startTroubledStack, type TroubledStack } from "../support/troubled-stack.ts";
import { LONG, waitFor } from "../support/wait-for.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

let troubled: TroubledStack;
beforeAll(async () => {
  troubled = await startTroubledStack({ settings: { ACCEPTANCE_SECONDS: "60" } });
});
afterAll(async () => troubled.stop());

/** Kills the host as it commits, so that all its announcements are still in the queues. Then the queues lose everything. */
async function loseEveryMessage(act: () => Promise<unknown>): Promise<void> {
  const { stack } = troubled;
  const killed = troubled.killedAt({ at: (body) => body.includes("history~"), fate: "drop-response" });
  await Promise.all([killed, act().catch(() => "the connection is gone")]);
  await stack.purgeServiceBus();
  await stack.startFunctions();
}

it("repair announces committed effects that were never delivered again, after every queue message was lost", async () => {
  const { stack } = troubled;
  const { shown } = operatorOf(stack.file);
  const summary = async (...words: string[]) => (await shown<{ summary: string }>("repair", ...words)).summary;
  const added = await stack.addPartner();
  const partner = partnerOn(stack.file, added, LONG);
  const webhooks = await startWebhookServer(added.webhookSecret, undefined, LONG);
  try {
    await partner.silent.online();
    const body = partner.request({ responseWebhookUrl: webhooks.url });
    await loseEveryMessage(() => partner.pay(body));
    expect(await partner.silent.client.next(1)).toBeUndefined();

    expect(await summary()).toContain("0 effects announced again"); // no effect is overdue yet
    expect(await shown("payment", "list", "--overdue")).toEqual([]);
    expect(await shown("payment", "list", "--day", new Date().toISOString().slice(0, 10))).toMatchObject([
      { partnerID: added.partnerID, sessionID: body.sessionID, status: "pending" },
    ]);
    expect(await shown("payment", "list", "--status", "captured")).toEqual([]);
    const { pointOfServiceID } = added.terminals.silent;
    expect(await shown("payment", "list", "--terminal", pointOfServiceID.toUpperCase())).toHaveLength(1);
    expect(await shown("repair", "--all", "--dry-run")).toMatchObject({
      effects: expect.arrayContaining([expect.objectContaining({ effect: "message" })]) as object[],
      summary: expect.stringContaining("2 effects would be announced again on ") as string,
    });
    expect(await partner.silent.client.next(1)).toBeUndefined();
    await expect(shown("repair", "--all", "--yes")).rejects.toThrow("--tables-are-current");
    await expect(shown("repair", "--all", "--tables-are-current")).rejects.toThrow("--yes");
    expect(await partner.silent.client.next(1)).toBeUndefined();
    expect(await summary("--all", "--tables-are-current", "--yes")).toContain("2 effects announced again");

    const message = await partner.silent.next();
    expect(message).toMatchObject({ type: "payment", sessionID: body.sessionID });
    await loseEveryMessage(() => partner.silent.sendReport(message, "declined"));
    const tellAgain = () => partner.silent.sendReport(message, "declined");
    await waitFor("the report told again", tellAgain, { ...LONG, until: (status) => status === 200 });
    expect(webhooks.received).toEqual([]);

    await shown("repair", "--all", "--tables-are-current", "--yes");
    await webhooks.until("payment.declined", body.sessionID);
    const left = () => shown<{ effects: { effect: string }[] }>("repair", "--all", "--dry-run");
    await waitFor("nothing left to repair but deadlines to come", left, {
      ...LONG,
      until: ({ effects }) => effects.every(({ effect }) => effect.startsWith("deadline~")),
    });
    await partner.silent.online(); // the terminal counts as offline after 45 s without a poll
    expect(
      (await partner.send("GET", `/pointOfServices/${added.terminals.silent.pointOfServiceID}/pos-status`)).body,
    ).toMatchObject({ statusCode: "available" });
  } finally {
    await webhooks.close();
  }
});

it("repair ends with an error that names the Service Bus while the bus is frozen", async () => {
  const { stack } = troubled;
  const { admin, shown } = operatorOf(stack.file);
  const partner = partnerOn(stack.file, await stack.addPartner());
  await partner.silent.online();
  await partner.pay(partner.request());
  const thaw = stack.freezeServiceBus();
  try {
    expect(await admin("repair", "--all", "--tables-are-current", "--yes")).toMatchObject({
      code: 1,
      complaint: expect.stringMatching(/\nThe Service Bus does not respond\.\n$/) as string,
    });
  } finally {
    thaw();
  }
  expect(await shown("repair", "--all", "--tables-are-current", "--yes")).toMatchObject({
    summary: expect.stringContaining("announced again on") as string,
  });
});
