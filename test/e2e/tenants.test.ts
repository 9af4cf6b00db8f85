import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { documentedOperations, type DocumentedOperation } from "../support/api-documents.ts";
import { credentialsOf, issueKey, type Credential } from "../support/credentials.ts";
import { partnerFor } from "../support/partner.ts";
import { skippedIf } from "../support/skipped.ts";
import { webShopOn } from "../support/web-shop.ts";

// Every documented operation with every kind of credential, on objects of the owner and on objects that do not exist. Objects of another
// partner are refused as if they did not exist.

const stack = inject("stack");
const gateway = stack.baseUrl;
const [owner, stranger] = [partnerFor("ownership"), partnerFor("stranger")];
const shop = webShopOn(stack);
const onlyOnePartner = owner.partner.partnerID === stranger.partner.partnerID;
const { autopilot, silent } = owner.partner.terminals;

/** The owner's objects, by the names that the rows below use. */
const owned = {
  held: "", // an authorized payment, to be cancelled
  authorized: "",
  captured: "",
  running: "",
  question: "", // lives for thirty seconds
  freeTerminal: autopilot.pointOfServiceID,
  terminal: silent.pointOfServiceID,
  landingPage: "",
  template: stack.demo.consumer.templateAccessTokenID,
};
type Owned = keyof typeof owned;

/** One kind of request for an object that has an owner. */
interface Ask {
  /** The object that it requests; undefined if the credential itself names the object. */
  readonly its?: Owned;
  readonly body?: (id: string) => object;
  /** The status for a caller that may not have it, if it is not 404. */
  readonly otherwise?: number;
}

const onPayment = (msgType: string) => (sessionID: string) => ({
  sessionID,
  msgType,
  pointOfServiceID: owned.freeTerminal,
});
/**
 * The same at each call. So the request that is finally accepted is the first of its kind, and the refused ones before it left nothing
 * behind.
 */
const [aPayment, aReport, aDiscount] = [owner.request(), randomUUID(), randomUUID()];

const today = new Date().toISOString().slice(0, 10);

/** By operation: the request for each kind of object that the operation can name. */
const rows: Readonly<Record<string, readonly Ask[]>> = {
  "pos-payment-request": [{ its: "freeTerminal", body: (pointOfServiceID) => ({ ...aPayment, pointOfServiceID }) }],
  "pos-payment-cancel": [{ its: "held", body: onPayment("paymentCancel") }],
  "pos-payment-capture": [{ its: "authorized", body: onPayment("paymentCapture") }],
  "pos-payment-refund": [
    {
      its: "captured",
      body: (id) => ({ ...onPayment("paymentRefund")(id), currency: "SEK", refundAmount: 1 }),
    },
  ],
  "pos-payment": [{ its: "captured" }],
  "pos-payment-timeline": [{ its: "captured" }],
  "pos-payment-receipts": [{ its: "captured" }],
  events: [{ otherwise: 200 }], // each key reads its own partner's feed, without the events that it does not reach
  "webhook-test": [{ body: () => ({ url: "https://shop.invalid/" }), otherwise: 200 }], // each key tests its own partner's webhooks
  "pos-payments": [{ otherwise: 200 }], // each key lists the payments that it reaches; the others' lists are empty
  "add-discount": [
    { its: "running", body: (sessionID) => ({ sessionID, discountID: aDiscount, discountAmount: 1 }) },
    { its: "terminal", body: (pointOfServiceID) => ({ pointOfServiceID, discountID: aDiscount, discountAmount: 1 }) },
  ],
  "settlement-days": [{ otherwise: 200 }],
  "settlement-file": [{ otherwise: 200 }],
  settlements: [{ otherwise: 200 }], // each key reads the bookings that it reaches; the others' lists are empty
  "point-of-services": [{ otherwise: 200 }], // each key lists the terminals that it reaches
  "pos-status": [{ its: "terminal" }],
  "pos-day": [{ its: "terminal" }],
  "set-pos-status": [
    { its: "freeTerminal", body: (pointOfServiceID) => ({ statusCode: "available", pointOfServiceID }) },
  ],
  "action-request": [{ its: "question" }],
  "action-request-response": [
    { its: "question", body: (actionRequestID) => ({ responseCode: "accepted", actionRequestID }) },
  ],
  "landing-page-request": [
    { its: "template", body: (templateAccessTokenID) => shop.request({ templateAccessTokenID }) },
  ],
  "get-landing-page": [{ its: "landingPage" }],
  "next-message": [{ otherwise: 204 }], // each terminal's key opens its own inbox, and the others' are empty
  report: [{ its: "running", body: (sessionID) => ({ reportID: aReport, type: "stillRunning", sessionID }) }],
  "raise-action-request": [
    {
      its: "running",
      body: (sessionID) => ({ actionRequestID: randomUUID(), actionCode: "openGate", sessionID }),
    },
    { its: "question", body: (actionRequestID) => ({ actionRequestID, actionCode: "openGate", withdraw: true }) },
  ],
  // Each terminal's key closes the terminal's own day.
  "day-totals": [{ body: (closingID) => ({ closingID, businessDay: today, totals: [] }), otherwise: 200 }],
};

let credentials: Awaited<ReturnType<typeof credentialsOf>>;
beforeAll(async () => {
  await Promise.all([owner.silent.online(), stranger.silent.online()]);
  credentials = await credentialsOf(stack, owner.partner, stranger.partner);
  const paid = async (state: string, more: Record<string, unknown> = {}) => {
    const body = owner.onAutopilot(more);
    expect(await owner.pay(body)).toMatchObject({ status: 202 });
    await owner.until(body.sessionID, state);
    return body.sessionID;
  };
  owned.held = await paid("authorized");
  owned.authorized = await paid("authorized");
  owned.captured = await paid("captured", { captureMode: "automatic" });
  const running = owner.request({ expiresInSeconds: 120 });
  await owner.pay(running);
  await owner.silent.begin(running.sessionID);
  owned.running = running.sessionID;
  await askAnew();
  const page = shop.request();
  await shop.post(page);
  owned.landingPage = page.landingPageID;
});

/** The owner's terminal asks a question, which has no response yet. */
async function askAnew(): Promise<void> {
  owned.question = randomUUID();
  await owner.silent.client.raiseActionRequest({ actionRequestID: owned.question, actionCode: "openGate" });
}

/** The response to a caller, byte for byte, except for the values that identify this one request, and its time. */
async function answerTo(operation: DocumentedOperation, { its, body }: Ask, { headers }: Credential, id: string) {
  const { method, path } = operation;
  const response = await fetch(`${gateway}${its === undefined ? path : path.replace(uuid, id)}`, {
    method,
    headers: { ...headers(operation), "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body(id)) }),
  });
  const responseHeaders = Object.fromEntries(response.headers);
  const requestID = responseHeaders["x-request-id"] ?? "";
  expect(requestID).not.toBe("");
  for (const ofThis of ["x-request-id", "date", "ratelimit", "content-length"]) delete responseHeaders[ofThis];
  const read = (await response.text()).replaceAll(requestID, "<request>").replaceAll(id, "<id>");
  const text = read.replace(/"ms":\d+/, '"ms":0');
  return { status: response.status, responseHeaders, text };
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const refusals = { unknown: 401, "without scope": 403, "shown nothing": 404 } as const;

describe("every operation", () => {
  it("has a row in this test, and every row is an operation's", () => {
    const names = documentedOperations.map(({ operationId }) => operationId);
    expect(Object.keys(rows).toSorted()).toEqual(names.toSorted());
  });

  it("of the Partners API documents the scope that it needs", () => {
    const unsaid = documentedOperations.filter(({ api, scopes }) => api === "partners" && scopes.length === 0);
    expect(unsaid).toEqual([]);
  });
});

const named = documentedOperations.map((operation) => [operation.operationId, operation] as const);
const ofMany = onlyOnePartner ? (c: Credential) => !c.kind.startsWith("another partner") : () => true;

describe("an object with an owner", () => {
  it.each(named)(
    "is treated by %s as if it did not exist, with every credential that does not reach it",
    async (_, operation) => {
      const refusing = credentials[operation.api].filter((c) => c.verdict !== "let in" && ofMany(c));
      expect(refusing.length).toBeGreaterThan(2);
      for (const ask of rows[operation.operationId] ?? []) {
        const id = ask.its === undefined ? randomUUID() : owned[ask.its];
        for (const credential of refusing) {
          const { kind, verdict } = credential;
          const status =
            verdict === "shown nothing" ? (ask.otherwise ?? 404) : refusals[verdict as keyof typeof refusals];
          const somebodys = await answerTo(operation, ask, credential, id);
          expect({ kind, status: somebodys.status }).toEqual({ kind, status });
          expect({ kind, ...somebodys }).toEqual({
            kind,
            ...(await answerTo(operation, ask, credential, randomUUID())),
          });
        }
      }
    },
  );

  it("is unchanged after all refused calls", async () => {
    // This poll comes first: a terminal that has not polled for a while is shown as offline.
    expect(await owner.silent.client.next(0)).toBeUndefined();
    expect(await owner.read(owned.held)).toMatchObject({ status: "authorized", sequence: 3 });
    expect(await owner.read(owned.authorized)).toMatchObject({ status: "authorized", sequence: 3 });
    expect(await owner.read(owned.captured)).toMatchObject({ status: "captured", sequence: 3, refunds: [] });
    expect(await owner.read(owned.running)).toMatchObject({ status: "inProgress", sequence: 2, discounts: [] });
    expect(await owner.status(owned.terminal)).toMatchObject({ statusCode: "busy", activeSessionID: owned.running });
    expect(await owner.send("GET", `/action-request/${owned.question}`)).toMatchObject({ body: { status: "pending" } });
  });
});

describe("the owner's credential", () => {
  const letIn = (api: DocumentedOperation["api"]) => {
    const right = credentials[api].find(({ verdict }) => verdict === "let in");
    if (!right) throw new Error(`no credential is right for ${api}`);
    return right;
  };

  it.each(named)(
    "lets %s act on the owner's objects, and gets 404 for objects that do not exist",
    async (_, operation) => {
      for (const ask of rows[operation.operationId] ?? []) {
        if (ask.its === undefined) continue;
        const toUnknown = await answerTo(operation, ask, letIn(operation.api), randomUUID());
        expect(toUnknown).toMatchObject({ status: 404 });
      }
      const [ask = {}] = rows[operation.operationId] ?? [];
      if (ask.its === "question") await askAnew();
      const id = ask.its === undefined ? randomUUID() : owned[ask.its];
      const own = await answerTo(operation, ask, letIn(operation.api), id);
      expect([200, 202, 204]).toContain(own.status);
      expect(own.responseHeaders["idempotent-replayed"]).toBeUndefined();
    },
  );
});

const because = skippedIf(onlyOnePartner, "there is only one partner");

describe.skipIf(onlyOnePartner)(`another partner's object${because}`, () => {
  it("is not counted if a call names no target", async () => {
    expect(await stranger.send("POST", "/action-request-response", { responseCode: "accepted" })).toMatchObject({
      status: 404,
      body: { code: "action_request_not_found" },
    });
    expect(await stranger.discount({ discountAmount: 1 })).toMatchObject({
      status: 422,
      body: { code: "target_required" },
    });
  });

  it("is read with the scope reports, which permits nothing else", async () => {
    const key = await issueKey(stack, owner.partner, { scopes: ["reports"] });
    const credential: Credential = {
      kind: "reports",
      verdict: "let in",
      headers: () => ({ "Ocp-Apim-Subscription-Key": stack.demo.subscriptionKey, apikey: key }),
    };
    const permitted: string[] = [];
    for (const operation of documentedOperations.filter(({ api }) => api === "partners")) {
      for (const ask of rows[operation.operationId] ?? []) {
        const { status } = await answerTo(
          operation,
          ask,
          credential,
          ask.its === undefined ? randomUUID() : owned[ask.its],
        );
        if (status !== 403) permitted.push(`${operation.operationId} ${status}`);
      }
    }
    expect(permitted.toSorted()).toEqual([
      "events 200",
      "point-of-services 200",
      "pos-day 200",
      "pos-payment 200",
      "pos-payment-receipts 200",
      "pos-payment-timeline 200",
      "pos-payments 200",
      "pos-status 200",
      "settlement-days 200",
      "settlement-file 200",
      "settlements 200",
    ]);
  });

  it("may have the same name as one's own: one sessionID of two partners names two payments", async () => {
    const body = stranger.onAutopilot({ sessionID: owned.captured });
    expect(await stranger.pay(body)).toMatchObject({ status: 202, body: { status: "pending" } });
    await stranger.until(owned.captured, "authorized");
    expect(await owner.read(owned.captured)).toMatchObject({
      status: "captured",
      merchantID: owner.partner.merchantID,
    });
  });
});
