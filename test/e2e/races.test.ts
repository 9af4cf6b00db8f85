import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ProblemObject } from "../../shared/contracts/objects/problem.ts";
import { isReplay, partnerFor, type HttpAnswer } from "../support/partner.ts";

const own = partnerFor("races");
const { cancel, capture, discount, onAutopilot, pay, read, refund, request, silent, timeline, until } = own;

const twenty = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 20 }, ask));

/** Twenty answers of this status. All but one are replays. */
function expectOneEffect(answers: readonly HttpAnswer<unknown>[], status: number) {
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => status));
  expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
}

const timesIn = async (sessionID: string, event: string) =>
  (await timeline(sessionID)).entries.filter((entry) => entry.event === event && !entry.recordedOnly).length;

describe("twenty equal calls at once have one effect:", () => {
  it("a payment request", async () => {
    const body = onAutopilot();
    expectOneEffect(await twenty(() => pay(body)), 202);
    expect(await until(body.sessionID, "authorized")).toMatchObject({ sequence: 3, charges: [{}] });
    expect(await timesIn(body.sessionID, "accepted")).toBe(1);
  });

  it("a payment request under one key, although each call makes a session of its own", async () => {
    const named = { "Idempotency-Key": randomUUID() };
    const answers = await twenty(() => pay(onAutopilot({ captureMode: "automatic" }), named));
    const [first, ...more] = answers.filter(({ status }) => status === 202);
    expect(more).toEqual([]);
    const { sessionID = "" } = (first?.body ?? {}) as { sessionID?: string };
    await until(sessionID, "captured");
    const again = await pay(onAutopilot(), named);
    expect(again).toMatchObject({ status: 422, body: { code: "idempotency_mismatch", sessionID } });
    expect(await pay(onAutopilot(), { "Idempotency-Key": "" })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "Idempotency-Key", code: "invalid" }] },
    });
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
    await silent.sendReport(await silent.reach("discount", sessionID), "discountApplied");
    expect(await silent.client.next(0)).toBeUndefined();
    expect(await read(sessionID)).toMatchObject({ totalAmountInclVat: 100.5, discounts: [{ discountID }] });
    await silent.sendReport(message, "cancelled");
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
    await silent.sendReport(message, "acknowledged");
    expect(await silent.client.next(0)).toBeUndefined();
  });
});

describe("two requests at once", () => {
  /** Sends both, and returns the accepted one, the other one, and the response to that. */
  async function race(bodies: readonly [ReturnType<typeof request>, ReturnType<typeof request>]) {
    const answers = await Promise.all(bodies.map((body) => pay(body)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([202, 409]);
    const won = answers[0]?.status === 202 ? 0 : 1;
    const [winner, loser, refusal] = [bodies[won], bodies[1 - won], answers[1 - won]];
    if (!winner || !loser || !refusal) throw new Error("a response is missing");
    expect((await own.send("GET", `/pos-payment/${loser.sessionID}`)).status).toBe(404);
    return { winner, loser, refusal };
  }

  it("for one terminal: one is accepted, and the other is told that it is busy, until the first has ended", async () => {
    for (let round = 0; round < 10; round++) {
      await silent.online();
      const { winner, loser, refusal } = await race([request(), request()]);
      expect(refusal.body).toMatchObject({ code: "terminal_busy", retryable: true, sessionID: winner.sessionID });
      expect(refusal.headers.get("retry-after")).toBe("5");
      expect(await cancel(winner)).toMatchObject({ status: 200 });
      expect(await pay(loser)).toMatchObject({ status: 202 });
      expect(await cancel(loser)).toMatchObject({ status: 200 });
    }
    expect(await silent.client.next(0)).toBeUndefined();
  });

  it("for one order at two terminals: one is accepted, and the other may repeat a payment", async () => {
    const [slowly, fast] = [{ totalAmountInclVat: 100.07, totalVatAmount: 20 }, 0];
    for (let round = 0; round < 10; round++) {
      await silent.online();
      const order = { ...slowly, merchantReferences: { orderId: randomUUID() } };
      const bodies = [request(order), onAutopilot(order)] as const;
      const { winner, refusal } = await race(round % 2 === fast ? bodies : [bodies[1], bodies[0]]);
      const { code, sessionID, retryable } = refusal.body as unknown as ProblemObject;
      expect(code).toBe("possible_duplicate");
      if (sessionID === undefined) expect([retryable, refusal.headers.get("retry-after")]).toEqual([true, "5"]);
      else expect([retryable, sessionID]).toEqual([false, winner.sessionID]);
      await cancel(winner);
      await expect.poll(async () => read(winner.sessionID)).toMatchObject({ final: true }); // a late approval is voided
    }
  });
});

describe("a cancel at the same moment", () => {
  it("as the terminal's fetch of the payment either takes effect at once, or the terminal has the payment", async () => {
    for (let round = 0; round < 8; round++) {
      await silent.online();
      const body = request();
      await pay(body);
      for (let i = 0; i < round; i++) await read(body.sessionID); // the later the read ends, the likelier the terminal is first
      const [cancelled, message] = await Promise.all([cancel(body), silent.client.next(0)]);
      expect(cancelled.status).toBe(message ? 202 : 200);
      if (message) {
        await silent.sendReport(message, "notStarted");
        await silent.sendReport(await silent.reach("cancel", body.sessionID), "notStarted");
      }
      await until(body.sessionID, "cancelled");
    }
  });

  it("as the approval of the card gives the money back, whichever came first", async () => {
    for (let round = 0; round < 4; round++) {
      await silent.online();
      const body = request();
      await pay(body);
      const message = await silent.begin(body.sessionID);
      const [cancelled] = await Promise.all([cancel(body), silent.sendReport(message, "authorized")]);
      expect(cancelled.status).toBe(202);
      await until(body.sessionID, "voidRequested");
      await silent.sendReport(await silent.reach("void", body.sessionID), "voided");
      expect(await until(body.sessionID, "voided")).toMatchObject({ amounts: { captured: 0 } });
    }
  });
});
