import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { terminalClient } from "../../infra/local/terminal/terminal-client.ts";
import type { ActionRequestObject } from "../../shared/contracts/objects/action-request.ts";
import { isReplay, partnerFor } from "../support/partner.ts";
import type { PartnerName } from "../support/running-stack.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

/** A partner whose silent terminal asks, and who reads and answers. */
function asking(name: PartnerName) {
  const whole = partnerFor(name);
  const { send, silent } = whole;
  return {
    ...whole,
    /** Has the terminal ask something; gives the identifier that it chose. */
    async ask(more: Record<string, unknown> = {}): Promise<string> {
      const actionRequestID = randomUUID();
      const raised = { actionRequestID, actionCode: "openGate", description: "Open gate 4?", ...more };
      expect(await silent.client.raiseActionRequest(raised)).toBe(202);
      return actionRequestID;
    },
    readAction: async (id: string) => send<ActionRequestObject>("GET", `/action-request/${id}`),
    answer: async (responseCode: string, actionRequestID?: string) =>
      send<ActionRequestObject>("POST", "/action-request-response", { responseCode, actionRequestID }),
  };
}

const { partner, answer, ask, onAutopilot, pay, readAction, request, silent, until } = asking("action requests");
let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret);
});
afterAll(async () => server.close());

const notFound = { status: 404, body: { code: "action_request_not_found" } };
const over = { status: 409, body: { code: "invalid_state", retryable: false } };

describe("a terminal's question", () => {
  it("is told to the payment's webhook, and can be read", async () => {
    await silent.online();
    const body = request({ responseWebhookUrl: server.url });
    await pay(body);
    const message = await silent.begin(body.sessionID);
    const data = { gate: 4, members: true, plate: "ABC 123" };
    const id = await ask({ sessionID: body.sessionID, data });

    const told = await server.until("actionRequest.created", id);
    expect(told.event.data).toMatchObject({
      actionRequestID: id,
      pointOfServiceID: body.pointOfServiceID,
      sessionID: body.sessionID,
      actionCode: "openGate",
      description: "Open gate 4?",
      data,
      status: "pending",
    });
    expect(await readAction(id)).toMatchObject({ status: 200, body: told.event.data });
    await answer("declined", id);
    await silent.tell(message, "cancelled");
  });

  it("asked again is one question, and about something else is refused", async () => {
    const id = await ask();
    await ask({ actionRequestID: id });
    expect(await silent.client.raiseActionRequest({ actionRequestID: id, actionCode: "closeGate" })).toBe(422);
    await answer("declined", id);
    await ask({ actionRequestID: id });
    expect(await readAction(id)).toMatchObject({ body: { actionCode: "openGate", status: "declined" } });
  });

  it("about a payment that is not the terminal's is refused", async () => {
    const ask = { actionRequestID: randomUUID(), actionCode: "openGate", sessionID: randomUUID() };
    expect(await silent.client.raiseActionRequest(ask)).toBe(404);
    expect(await readAction(ask.actionRequestID)).toMatchObject(notFound);
  });

  it("that was taken back is cancelled, and cannot be answered", async () => {
    const id = await ask();
    expect(
      await silent.client.raiseActionRequest({ actionRequestID: id, actionCode: "openGate", withdraw: true }),
    ).toBe(202);
    expect(await readAction(id)).toMatchObject({ status: 200, body: { status: "cancelled" } });
    expect(await answer("accepted", id)).toMatchObject(over);
  });
});

describe("an answer", () => {
  it.each(["accepted", "declined"])("(%s) is given once, and the terminal gets it", async (responseCode) => {
    const id = await ask();
    const answered = await answer(responseCode, id);
    expect(answered).toMatchObject({
      status: 200,
      body: { status: responseCode, response: { responseCode, respondedAt: expect.any(String) as string } },
    });
    expect(isReplay(answered)).toBe(false);
    const message = await silent.reach("actionAnswer", id);
    expect(message).toMatchObject({ responseCode });
    await silent.tell(message, "acknowledged");
  });

  it("that comes again is answered as it stands, another is refused", async () => {
    const id = await ask();
    await answer("accepted", id);
    const again = await answer("accepted", id.toUpperCase());
    expect(again).toMatchObject({ status: 200, body: { actionRequestID: id, status: "accepted" } });
    expect(isReplay(again)).toBe(true);
    expect(await answer("declined", id)).toMatchObject(over);
    expect(await readAction(id)).toMatchObject({ body: { status: "accepted" } });
  });

  it("to a question that nobody asked is 404, and one that is no answer 422", async () => {
    expect(await readAction(randomUUID())).toMatchObject(notFound);
    expect(await answer("accepted", randomUUID())).toMatchObject(notFound);
    expect(await answer("perhaps", randomUUID())).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "responseCode" }] },
    });
  });

  it("to what is no name of a question is 404, and no path of ours where its letters are encoded", async () => {
    expect(await readAction("nonsense")).toMatchObject(notFound);
    const encoded = await readAction(encodeURIComponent("ö".repeat(60)));
    expect(encoded).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it.each([
    ["accepted", "authorized"],
    ["declined", "declined"],
  ])("(%s) lets a terminal without hands go on: the payment is %s", async (responseCode, state) => {
    const body = onAutopilot({ totalAmountInclVat: 125.14, responseWebhookUrl: server.url });
    await pay(body);
    const { event } = await server.until("actionRequest.created", body.sessionID);
    expect(event.data).toMatchObject({ actionCode: "acceptTerms" });
    await answer(responseCode, "actionRequestID" in event.data ? event.data.actionRequestID : undefined);
    await until(body.sessionID, state);
  });
});

describe("a terminal that got an answer", () => {
  const { partner, answer, ask, silent } = asking("action requests, acknowledged");
  const { terminalKey } = partner.terminals.autopilot;
  const other = terminalClient({ terminalsUrl: inject("stack").terminalsUrl, terminalKey });

  it("keeps it until it says so itself, and of this question", async () => {
    const [id, another] = [await ask(), await ask()];
    await answer("accepted", id);
    const { messageID } = await silent.reach("actionAnswer", id);
    const told = { reportID: randomUUID(), type: "acknowledged", messageID, actionRequestID: id };
    expect(await other.report(told)).toBe(200);
    expect(await silent.client.report({ ...told, actionRequestID: another })).toBe(200);
    expect(await silent.next()).toMatchObject({ messageID, type: "actionAnswer" }); // again, once its lease is over
    expect(await silent.client.report({ ...told, messageID: undefined })).toBe(200);
    expect(await silent.client.next(2)).toBeUndefined(); // twice as long as a lease
    await answer("declined", another);
  });
});

describe("an answer that names no question", () => {
  const { answer, ask, readAction } = asking("action requests, bare");

  it("is for the only one that is pending, once this key has read it", async () => {
    expect(await answer("accepted")).toMatchObject(notFound);
    const id = await ask();
    expect(await answer("accepted")).toMatchObject(notFound);
    expect(await readAction(id)).toMatchObject({ body: { status: "pending" } });
    expect(await answer("accepted")).toMatchObject({ status: 200, body: { actionRequestID: id, status: "accepted" } });
    expect(await answer("accepted")).toMatchObject(notFound);
  });

  it("is refused while several are pending, so that no wrong gate is opened", async () => {
    const [one, other] = [await ask(), await ask()];
    await readAction(one);
    await readAction(other);
    expect(await answer("accepted")).toMatchObject({ status: 409, body: { code: "ambiguous_target" } });
    await answer("declined", other);
    expect(await answer("accepted")).toMatchObject({ status: 200, body: { actionRequestID: one } });
  });
});

describe("a question that nobody answers in time", () => {
  it("is expired: the partner and the terminal are told, and an answer comes too late", async () => {
    const { partner, answer, ask, pay, readAction, request, silent } = asking("action requests, expired");
    const server = await startWebhookServer(partner.webhookSecret);
    try {
      await silent.online();
      const body = request({ responseWebhookUrl: server.url });
      await pay(body);
      await silent.begin(body.sessionID);
      const id = await ask({ sessionID: body.sessionID });
      const told = await server.until("actionRequest.expired", id);
      expect(told.event.data).toMatchObject({ actionRequestID: id, status: "expired" });
      expect(await silent.reach("actionAnswer", id)).toMatchObject({
        sessionID: body.sessionID,
        responseCode: "expired",
      });
      expect(await readAction(id)).toMatchObject({ status: 200, body: { status: "expired" } });
      expect(await answer("accepted", id)).toMatchObject(over);
    } finally {
      await server.close();
    }
  });
});
