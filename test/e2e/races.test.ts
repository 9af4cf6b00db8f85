import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStack, type Stack } from "../../infra/local/stack.ts";
import { isReplay, partnerFor, partnerOn, type HttpAnswer } from "../support/partner.ts";
import { LONG, waitFor } from "../support/wait-for.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const own = partnerFor("races");
const { cancel, capture, discount, onAutopilot, pay, read, refund, request, silent, timeline, until } = own;

const twenty = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 20 }, ask));

/** Twenty answers of this status, all but one of them replays. */
function expectOneEffect(answers: readonly HttpAnswer<unknown>[], status: number) {
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => status));
  expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
}

const timesIn = async (sessionID: string, event: string) =>
  (await timeline(sessionID)).entries.filter((entry) => entry.event === event && !entry.recordedOnly).length;

describe("two hundred payments for one terminal at once", () => {
  // On a stack of its own with the standard deadlines: three seconds to be accepted in are too few for such a crowd.
  let directory: string;
  let stack: Stack;
  let server: Awaited<ReturnType<typeof startWebhookServer>>;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "e2e-crowd-"));
    stack = await startStack({ ports: "free", directory });
    server = await startWebhookServer(stack.file.demo.webhookSecret, undefined, LONG);
  }, 30_000);
  afterAll(async () => {
    await server?.close();
    await stack?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it(
    "charge one card; the others are refused or end failed, and the terminal is free afterwards",
    { timeout: 120_000 },
    async () => {
      const { pay, request, silent, status, until } = partnerOn(stack.file, stack.file.demo, LONG);
      await silent.online();
      const bodies = Array.from({ length: 200 }, () => request({ responseWebhookUrl: server.url }));
      const answers = await Promise.all(bodies.map((body) => untilAnswered(() => pay(body))));

      for (const answer of answers.filter(({ status }) => status !== 202))
        expect(answer).toMatchObject({ status: 409, body: { code: "terminal_busy" } });
      const accepted = bodies.filter((_, i) => answers[i]?.status === 202).map((body) => body.sessionID);
      const message = await silent.next();
      const winner = message.sessionID ?? "";
      expect(message.type).toBe("payment");
      expect(accepted).toContain(winner);
      await silent.tell(message, "accepted");

      for (const loser of accepted.filter((id) => id !== winner)) {
        const delivered = await server.until("payment.failed", loser);
        expect(delivered.event.data).toMatchObject({ status: "failed", statusReason: "terminalBusy", final: true });
      }
      expect(await status(stack.file.demo.terminals.silent.pointOfServiceID)).toMatchObject({
        activeSessionID: winner,
      });
      await silent.tell(message, "authorized");
      await until(winner, "authorized");
      expect(await silent.client.next(0)).toBeUndefined();

      const next = request();
      expect(await pay(next)).toMatchObject({ status: 202 });
      await silent.approve(next.sessionID);
      await until(next.sessionID, "authorized");
    },
  );

  /** As a partner's server does: a 503 says to ask again, which the session makes safe. */
  const untilAnswered = async <Body>(ask: () => Promise<HttpAnswer<Body>>) =>
    waitFor("an answer other than 503", ask, { ...LONG, until: ({ status }) => status !== 503 });
});

describe("twenty equal calls at once have one effect:", () => {
  it("a payment request", async () => {
    const body = onAutopilot();
    expectOneEffect(await twenty(() => pay(body)), 202);
    expect(await until(body.sessionID, "authorized")).toMatchObject({ sequence: 3, charges: [{}] });
    expect(await timesIn(body.sessionID, "accepted")).toBe(1);
  });

  it("a cancel", async () => {
    const body = onAutopilot();
    await pay(body);
    await until(body.sessionID, "authorized");
    expectOneEffect(await twenty(() => cancel(body)), 202);
    await until(body.sessionID, "voided");
    expect(await timesIn(body.sessionID, "cancel")).toBe(1);
  });

  it("a capture", async () => {
    const body = onAutopilot();
    await pay(body);
    await until(body.sessionID, "authorized");
    expectOneEffect(await twenty(() => capture(body)), 202);
    await until(body.sessionID, "captured");
    expect(await timesIn(body.sessionID, "capture")).toBe(1);
    expect(await timesIn(body.sessionID, "captured")).toBe(1);
  });

  it("a refund", async () => {
    const body = onAutopilot({ captureMode: "automatic" });
    await pay(body);
    await until(body.sessionID, "captured");
    const refundID = randomUUID();
    expectOneEffect(await twenty(() => refund(body, 60, { refundID })), 202);
    await expect
      .poll(async () => read(body.sessionID))
      .toMatchObject({ amounts: { refunded: 60, refundPending: 0 }, refunds: [{ refundID, status: "succeeded" }] });
    expect(await timesIn(body.sessionID, "refunded")).toBe(1);
  });

  it("a discount", async () => {
    await silent.online();
    const body = request();
    await pay(body);
    const message = await silent.begin(body.sessionID);
    const discountID = randomUUID();
    const { sessionID } = body;
    expectOneEffect(await twenty(() => discount({ sessionID, discountID, discountAmount: 25 })), 202);
    await silent.tell(await silent.reach("discount", sessionID), "discountApplied");
    expect(await silent.client.next(0)).toBeUndefined();
    expect(await read(sessionID)).toMatchObject({ totalAmountInclVat: 100.5, discounts: [{ discountID }] });
    await silent.tell(message, "cancelled");
  });

  it("a terminal's status", async () => {
    const { partner, setStatus, status } = own;
    const { pointOfServiceID } = partner.terminals.silent;
    const answers = await twenty(() => setStatus("maintenance", pointOfServiceID));
    const bodies = new Set(answers.map(({ status, body }) => JSON.stringify({ status, body })));
    expect([...bodies]).toHaveLength(1);
    expect(answers[0]).toMatchObject({ status: 200, body: { statusCode: "maintenance" } });
    expect(await status(pointOfServiceID)).toEqual(answers[0]?.body);
    await setStatus("available", pointOfServiceID);
  });

  it("a response to a terminal's action request", async () => {
    const actionRequestID = randomUUID();
    await silent.client.raiseActionRequest({ actionRequestID, actionCode: "openGate" });
    const answer = { responseCode: "accepted", actionRequestID };
    expectOneEffect(await twenty(() => own.send("POST", "/action-request-response", answer)), 200);
    const message = await silent.reach("actionAnswer", actionRequestID);
    expect(message).toMatchObject({ responseCode: "accepted" });
    await silent.tell(message, "acknowledged");
    expect(await silent.client.next(0)).toBeUndefined();
  });
});

describe("a cancel at the same moment", () => {
  it("as the terminal fetches the payment: either it takes effect at once, or the terminal has the payment", async () => {
    for (let round = 0; round < 8; round++) {
      await silent.online();
      const body = request();
      await pay(body);
      for (let i = 0; i < round; i++) await read(body.sessionID); // the later, the likelier the terminal is first
      const [cancelled, message] = await Promise.all([cancel(body), silent.client.next(0)]);
      expect(cancelled.status).toBe(message ? 202 : 200);
      if (message) {
        await silent.tell(message, "notStarted");
        await silent.tell(await silent.reach("cancel", body.sessionID), "notStarted");
      }
      await until(body.sessionID, "cancelled");
    }
  });

  it("as the card is approved: the money is given back, whichever came first", async () => {
    for (let round = 0; round < 4; round++) {
      await silent.online();
      const body = request();
      await pay(body);
      const message = await silent.begin(body.sessionID);
      const [cancelled] = await Promise.all([cancel(body), silent.tell(message, "authorized")]);
      expect(cancelled.status).toBe(202);
      await until(body.sessionID, "voidRequested");
      await silent.tell(await silent.reach("void", body.sessionID), "voided");
      expect(await until(body.sessionID, "voided")).toMatchObject({ amounts: { captured: 0 } });
    }
  });
});
