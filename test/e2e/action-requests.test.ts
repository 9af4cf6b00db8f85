import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { terminalClient } from "../../packages/terminal/simulated/terminal-client.ts";
import type { ActionRequestObject } from "../../shared/contracts/objects/action-request.ts";
import { isReplay, partnerFor } from "../support/partner.ts";
import type { PartnerName } from "../support/running-stack.ts";
import { LONG } from "../support/wait-for.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

/** A partner whose silent terminal raises action requests, and who reads and answers them. */
function asking(name: PartnerName) {
  const whole = partnerFor(name);
  const { send, silent } = whole;
  return {
    ...whole,
    /** Raises an action request at the terminal; returns the identifier that the terminal chose. */
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

describe("a terminal's action request", () => {
  it("is sent to the payment's webhook address, and the partner can read it", async () => {
    await silent.online();
    const body = request({ responseWebhookUrl: server.url });
    await pay(body);
    const message = await silent.begin(body.sessionID);
    const data = { gate: 4, members: true, plate: "ABC 123" };
    const id = await ask({ sessionID: body.sessionID, data });

    const delivered = await server.until("actionRequest.created", id);
    expect(delivered.event.data).toMatchObject({
      actionRequestID: id,
      pointOfServiceID: body.pointOfServiceID,
      sessionID: body.sessionID,
      actionCode: "openGate",
      description: "Open gate 4?",
      data,
      status: "pending",
    });
    expect(await readAction(id)).toMatchObject({ status: 200, body: delivered.event.data });
    await answer("declined", id);
    await silent.sendReport(message, "cancelled");
  });

  it("is replayed when it is raised again, and refused when its name is used for another action", async () => {
    const id = await ask();
    await ask({ actionRequestID: id });
    expect(await silent.client.raiseActionRequest({ actionRequestID: id, actionCode: "closeGate" })).toBe(422);
    await answer("declined", id);
    await ask({ actionRequestID: id });
    expect(await readAction(id)).toMatchObject({ body: { actionCode: "openGate", status: "declined" } });
  });

  it("is refused when it names a payment of another terminal", async () => {
    const ask = { actionRequestID: randomUUID(), actionCode: "openGate", sessionID: randomUUID() };
    expect(await silent.client.raiseActionRequest(ask)).toBe(404);
    expect(await readAction(ask.actionRequestID)).toMatchObject(notFound);
  });

  it("is cancelled when the terminal withdraws it, and takes no response after that", async () => {
    const id = await ask();
    expect(
      await silent.client.raiseActionRequest({ actionRequestID: id, actionCode: "openGate", withdraw: true }),
    ).toBe(202);
    expect(await readAction(id)).toMatchObject({ status: 200, body: { status: "cancelled" } });
    expect(await answer("accepted", id)).toMatchObject(over);
  });
});

describe("a partner's response to an action request", () => {
  it.each(["accepted", "declined"])(
    "(%s) is recorded once, and the terminal gets it as a message",
    async (responseCode) => {
      const id = await ask();
      const answered = await answer(responseCode, id);
      expect(answered).toMatchObject({
        status: 200,
        body: { status: responseCode, response: { responseCode, respondedAt: expect.any(String) as string } },
      });
      expect(isReplay(answered)).toBe(false);
      const message = await silent.reach("actionAnswer", id);
      expect(message).toMatchObject({ responseCode });
      await silent.sendReport(message, "acknowledged");
    },
  );

  it("is replayed when it is repeated, and a different one is refused", async () => {
    const id = await ask();
    await answer("accepted", id);
    const again = await answer("accepted", id.toUpperCase());
    expect(again).toMatchObject({ status: 200, body: { actionRequestID: id, status: "accepted" } });
    expect(isReplay(again)).toBe(true);
    expect(await answer("declined", id)).toMatchObject(over);
    expect(await readAction(id)).toMatchObject({ body: { status: "accepted" } });
  });

  it("is 404 for an unknown action request, and 422 with an unknown response code", async () => {
    expect(await readAction(randomUUID())).toMatchObject(notFound);
    expect(await answer("accepted", randomUUID())).toMatchObject(notFound);
    expect(await answer("perhaps", randomUUID())).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "responseCode" }] },
    });
  });

  it("is 404 for a name that is no identifier, even one with encoded path separators", async () => {
    expect(await readAction("nonsense")).toMatchObject(notFound);
    const encoded = await readAction(encodeURIComponent("ö".repeat(60)));
    expect(encoded).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it.each([
    ["accepted", "authorized"],
    ["declined", "declined"],
  ])("(%s) lets the autopilot's terminal continue: the payment becomes %s", async (responseCode, state) => {
    const body = onAutopilot({ totalAmountInclVat: 125.14, responseWebhookUrl: server.url });
    await pay(body);
    const { event } = await server.until("actionRequest.created", body.sessionID);
    expect(event.data).toMatchObject({ actionCode: "acceptTerms" });
    await answer(responseCode, "actionRequestID" in event.data ? event.data.actionRequestID : undefined);
    await until(body.sessionID, state);
  });
});

describe("a terminal that fetched the response to its action request", () => {
  const { partner, answer, ask, silent } = asking("action requests, acknowledged");
  const { terminalKey } = partner.terminals.autopilot;
  const other = terminalClient({ terminalsUrl: inject("stack").terminalsUrl, terminalKey });

  it("gets it again until it acknowledges it, by a report about this same request", async () => {
    const [id, another] = [await ask(), await ask()];
    await answer("accepted", id);
    const { messageID } = await silent.reach("actionAnswer", id);
    const delivered = { reportID: randomUUID(), type: "acknowledged", messageID, actionRequestID: id };
    expect(await other.report(delivered)).toBe(200);
    expect(await silent.client.report({ ...delivered, actionRequestID: another })).toBe(200);
    expect(await silent.next()).toMatchObject({ messageID, type: "actionAnswer" }); // again, once its lease is over
    expect(await silent.client.report({ ...delivered, messageID: undefined })).toBe(200);
    expect(await silent.client.next(2)).toBeUndefined(); // twice as long as a lease
    await answer("declined", another);
  });
});

describe("a response that names no action request", () => {
  const { answer, ask, readAction } = asking("action requests, bare");

  it("applies to the only pending one, once this key has read it", async () => {
    expect(await answer("accepted")).toMatchObject(notFound);
    const id = await ask();
    expect(await answer("accepted")).toMatchObject(notFound);
    expect(await readAction(id)).toMatchObject({ body: { status: "pending" } });
    expect(await answer("accepted")).toMatchObject({ status: 200, body: { actionRequestID: id, status: "accepted" } });
    expect(await answer("accepted")).toMatchObject(notFound);
  });

  it("is refused while several action requests are pending", async () => {
    const [one, other] = [await ask(), await ask()];
    await readAction(one);
    await readAction(other);
    expect(await answer("accepted")).toMatchObject({ status: 409, body: { code: "ambiguous_target" } });
    await answer("declined", other);
    expect(await answer("accepted")).toMatchObject({ status: 200, body: { actionRequestID: one } });
  });
});

describe("an action request without a response in time", () => {
  it("expires: the partner and the terminal are notified, and a later response is refused", async () => {
    const { partner, answer, ask, pay, readAction, request, silent } = asking("action requests, expired");
    const server = await startWebhookServer(partner.webhookSecret, undefined, LONG);
    try {
      await silent.online();
      const body = request({ responseWebhookUrl: server.url });
      await pay(body);
      await silent.begin(body.sessionID);
      const id = await ask({ sessionID: body.sessionID });
      const delivered = await server.until("actionRequest.expired", id);
      expect(delivered.event.data).toMatchObject({ actionRequestID: id, status: "expired" });
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
