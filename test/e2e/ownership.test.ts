import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { partnerFor } from "../support/partner.ts";

const owner = partnerFor("ownership");
const stranger = partnerFor("stranger");
const { pointOfServiceID } = owner.partner.terminals.silent;
const onlyOnePartner = owner.partner.partnerID === stranger.partner.partnerID;

/** What the owner has: three payments, a question that is pending, a terminal. */
const owned = { authorized: "", captured: "", running: "", action: randomUUID(), terminal: pointOfServiceID };
beforeAll(async () => {
  await Promise.all([owner.silent.online(), stranger.silent.online()]);
  const [authorized, captured] = [owner.onAutopilot(), owner.onAutopilot({ captureMode: "automatic" })];
  const running = owner.request({ expiresInSeconds: 60 });
  await owner.pay(authorized);
  await owner.until(authorized.sessionID, "authorized");
  await owner.pay(captured);
  await owner.until(captured.sessionID, "captured");
  await owner.pay(running);
  await owner.silent.begin(running.sessionID);
  await owner.silent.client.raiseActionRequest({ actionRequestID: owned.action, actionCode: "openGate" });
  owned.authorized = authorized.sessionID;
  owned.captured = captured.sessionID;
  owned.running = running.sessionID;
});

interface Attempt {
  readonly what: string;
  readonly its: keyof typeof owned;
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: (id: string) => string;
  readonly body?: (id: string) => unknown;
}

const of = (sessionID: string, msgType: string) => {
  const { pointOfServiceID } = stranger.partner.terminals.silent;
  return { sessionID, pointOfServiceID, msgType };
};
const aRequest = stranger.request({ merchantID: owner.partner.merchantID });

const attempts: readonly Attempt[] = [
  { what: "reading a payment", its: "authorized", method: "GET", path: (id) => `/pos-payment/${id}` },
  { what: "reading its timeline", its: "authorized", method: "GET", path: (id) => `/pos-payment/${id}/timeline` },
  {
    what: "a cancel",
    its: "running",
    method: "POST",
    path: () => "/pos-payment-cancel",
    body: (id) => of(id, "paymentCancel"),
  },
  {
    what: "a cancel that names the owner's terminal, too",
    its: "running",
    method: "POST",
    path: () => "/pos-payment-cancel",
    body: (id) => ({ ...of(id, "paymentCancel"), pointOfServiceID }),
  },
  {
    what: "a capture",
    its: "authorized",
    method: "POST",
    path: () => "/pos-payment-capture",
    body: (id) => of(id, "paymentCapture"),
  },
  {
    what: "a refund",
    its: "captured",
    method: "POST",
    path: () => "/pos-payment-refund",
    body: (id) => ({ ...of(id, "paymentRefund"), currency: "SEK", refundAmount: 1 }),
  },
  {
    what: "a discount on its session",
    its: "running",
    method: "POST",
    path: () => "/add-discount",
    body: (sessionID) => ({ sessionID, discountAmount: 1 }),
  },
  {
    what: "a discount on its terminal",
    its: "terminal",
    method: "POST",
    path: () => "/add-discount",
    body: (pointOfServiceID) => ({ pointOfServiceID, discountAmount: 1 }),
  },
  { what: "reading an action request", its: "action", method: "GET", path: (id) => `/action-request/${id}` },
  {
    what: "answering it",
    its: "action",
    method: "POST",
    path: () => "/action-request-response",
    body: (actionRequestID) => ({ responseCode: "accepted", actionRequestID }),
  },
  {
    what: "reading a terminal's status",
    its: "terminal",
    method: "GET",
    path: (id) => `/pointOfServices/${id}/pos-status`,
  },
  {
    what: "setting it",
    its: "terminal",
    method: "PATCH",
    path: () => "/set-pos-status",
    body: (pointOfServiceID) => ({ statusCode: "closed", pointOfServiceID }),
  },
  {
    what: "a payment on it",
    its: "terminal",
    method: "POST",
    path: () => "/pos-payment-request",
    body: (pointOfServiceID) => ({ ...aRequest, pointOfServiceID }),
  },
];

/** What the stranger is answered, to the byte but for what names this one request. */
async function answerTo({ method, path, body }: Attempt, id: string) {
  const answer = await stranger.refused(method, path(id), body?.(id));
  const { requestID } = answer.body;
  expect(answer.headers.get("x-request-id")).toBe(requestID);
  const headers = Object.fromEntries(answer.headers);
  delete headers["x-request-id"];
  delete headers["date"];
  const text = JSON.stringify(answer.body).replace(requestID, "<request>").replaceAll(id, "<id>");
  return { status: answer.status, headers, text };
}

describe.skipIf(onlyOnePartner)("what is another partner's", () => {
  it.each(attempts)("is answered as if it were not there: $what", async (attempt) => {
    const others = await answerTo(attempt, owned[attempt.its]);
    expect(others.status).toBe(404);
    expect(others).toEqual(await answerTo(attempt, randomUUID()));
  });

  it("does not count where nothing is named", async () => {
    expect(await stranger.send("POST", "/action-request-response", { responseCode: "accepted" })).toMatchObject({
      status: 404,
      body: { code: "action_request_not_found" },
    });
    expect(await stranger.discount({ discountAmount: 1 })).toMatchObject({
      status: 422,
      body: { code: "target_required" },
    });
  });

  it("cannot be reported on by a stranger's terminal, nor asked about", async () => {
    const report = { reportID: randomUUID(), type: "declined", sessionID: owned.running };
    expect(await stranger.silent.client.report(report)).toBe(404);
    const ask = { actionRequestID: randomUUID(), actionCode: "openGate", sessionID: owned.running };
    expect(await stranger.silent.client.raiseActionRequest(ask)).toBe(404);
  });

  it("is as it was after all that", async () => {
    expect(await owner.read(owned.authorized)).toMatchObject({ status: "authorized", sequence: 3 });
    expect(await owner.read(owned.captured)).toMatchObject({ status: "captured", sequence: 3, refunds: [] });
    expect(await owner.read(owned.running)).toMatchObject({ status: "inProgress", sequence: 2, discounts: [] });
    expect(await owner.status(pointOfServiceID)).toMatchObject({ statusCode: "busy", activeSessionID: owned.running });
    expect(await owner.send("GET", `/action-request/${owned.action}`)).toMatchObject({ body: { status: "pending" } });
    expect(await owner.silent.client.next(0)).toBeUndefined();
  });

  it("may have the same name as one's own: one sessionID of two partners is two payments", async () => {
    const body = stranger.onAutopilot({ sessionID: owned.captured });
    expect(await stranger.pay(body)).toMatchObject({ status: 202, body: { status: "pending" } });
    await stranger.until(owned.captured, "authorized");
    expect(await owner.read(owned.captured)).toMatchObject({
      status: "captured",
      merchantID: owner.partner.merchantID,
    });
  });
});
