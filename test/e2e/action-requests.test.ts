import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ActionRequestObject } from "../../shared/contracts/objects/action-request.ts";
import { isReplay, partnerFor } from "../support/partner.ts";
import type { PartnerName } from "../support/running-stack.ts";
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
  it("is recorded once, and the terminal gets it; a repeated one is replayed, and a different one is refused", async () => {
    const id = await ask();
    const answered = await answer("accepted", id);
    expect(answered).toMatchObject({
      status: 200,
      body: { status: "accepted", response: { respondedAt: expect.any(String) as string } },
    });
    expect(isReplay(answered)).toBe(false);
    const message = await silent.reach("actionAnswer", id);
    expect(message).toMatchObject({ responseCode: "accepted" });
    await silent.sendReport(message, "acknowledged");

    const again = await answer("accepted", id.toUpperCase());
    expect(again).toMatchObject({ status: 200, body: { actionRequestID: id, status: "accepted" } });
    expect(isReplay(again)).toBe(true);
    expect(await answer("declined", id)).toMatchObject(over);
  });

  it("is 404 for an unknown action request, and 422 with an unknown response code", async () => {
    expect(await readAction(randomUUID())).toMatchObject(notFound);
    expect(await answer("accepted", randomUUID())).toMatchObject(notFound);
    expect(await answer("perhaps", randomUUID())).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "responseCode" }] },
    });
  });

  it("(declined) lets the autopilot's terminal continue: the payment is declined", async () => {
    const body = onAutopilot({ totalAmountInclVat: 125.14, responseWebhookUrl: server.url });
    await pay(body);
    const { event } = await server.until("actionRequest.created", body.sessionID);
    await answer("declined", "actionRequestID" in event.data ? event.data.actionRequestID : undefined);
    await until(body.sessionID, "declined");
  });
});

describe("a response that names no action request", () => {
  const { answer, ask, readAction } = asking("action requests, bare");

  it("applies to the only pending one, once this key has read it, and is refused while several are", async () => {
    const id = await ask();
    expect(await answer("accepted")).toMatchObject(notFound);
    await readAction(id);
    const other = await ask();
    await readAction(other);
    expect(await answer("accepted")).toMatchObject({ status: 409, body: { code: "ambiguous_target" } });
    await answer("declined", other);
    expect(await answer("accepted")).toMatchObject({ status: 200, body: { actionRequestID: id, status: "accepted" } });
    expect(await answer("accepted")).toMatchObject(notFound);
  });
});
