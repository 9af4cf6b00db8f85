import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStack, type Stack } from "../../packages/workbench/stack/stack.ts";
import { sampleIds } from "../../infra/documents/openapi/samples/sample-ids.ts";
import { API_KEY_ROW, apiKeyPartition, TERMINAL_ROW, terminalPartition } from "../../shared/stores/keys.ts";
import { hashOfKey, idempotencyKeysTable } from "../../shared/stores/idempotency-keys.ts";
import { ordersTable } from "../../shared/stores/orders.ts";
import { landingPagePartition, PAGE_ROW } from "../../shared/stores/token-keys.ts";
import { asksOf } from "../support/any-operation.ts";
import { apiNames, documentedOperations } from "../support/api-documents.ts";
import { partnerOn } from "../support/partner.ts";
import { rowsOf, spoil } from "../support/table-access.ts";

// A stack of its own, whose tables fail. Each operation reports that the caller is not at fault, and no details of the failure.

const named = documentedOperations.map((operation) => [operation.operationId, operation] as const);
let directory: string;
let stack: Stack | undefined;
let ask: ReturnType<typeof asksOf>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "troubles-"));
  stack = await startStack({ ports: "free", directory });
  ask = asksOf(stack.file);
});
afterAll(async () => {
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** The stack, once it has started. Tests run only then. */
function running(): Stack {
  if (!stack) throw new Error("the stack did not start");
  return stack;
}

/** One operation for each API. */
const ofEach = apiNames.flatMap((api) => named.filter(([, operation]) => operation.api === api).slice(0, 1));

describe.each([
  ["away", named],
  ["busy", ofEach],
  ["silent", ofEach],
  ["forbidden", ofEach],
] as const)("an endpoint while the tables are %s", (kind, operations) => {
  beforeAll(async () => {
    await running().faults.set({ tables: "all" }, { kind, seconds: 600 });
  });
  afterAll(() => running().faults.clear());

  it.concurrent.each(operations)("(%s) responds 503 with Retry-After", async (_, operation) => {
    const refused = await ask(operation);
    expect(refused).toMatchObject({ status: 503, code: "dependency_unavailable" });
    expect(refused.headers.get("retry-after")).toBe("1");
  });
});

/** Creates the landing page that the documents' examples name, with an existing template. */
async function aPage(): Promise<void> {
  const { templateAccessTokenID } = running().file.demo.consumer;
  const operation = documentedOperations.find(({ operationId }) => operationId === "landing-page-request");
  if (!operation) throw new Error("landing-page-request is not documented");
  const made = await ask({ ...operation, body: { ...operation.body, templateAccessTokenID } });
  expect(made.status).toBe(202);
}

it.each(named)(
  "%s responds 500 for a row that cannot be read, and works again once it can be read",
  async (_, operation) => {
    const stack = running();
    await aPage();
    const { apikey, terminals } = await stack.addPartner({ withoutAutopilot: true }); // unknown to every cache
    const [, keyId = ""] = apikey.split("_");
    const { pointOfServiceID, terminalKey } = terminals.silent;
    const unreadable = {
      partners: ["partners", apiKeyPartition(keyId), API_KEY_ROW],
      terminals: ["terminals", terminalPartition(pointOfServiceID), TERMINAL_ROW],
      consumer: ["landingPages", landingPagePartition(sampleIds.landingPageID), PAGE_ROW],
    } as const;
    const [table, partition, row] = unreadable[operation.api];
    const headers = {
      ...(operation.api === "partners" && { apikey }),
      ...(operation.api === "terminals" && { "x-terminal-key": terminalKey }),
    };
    const mend = await spoil(rowsOf(stack.file, table), partition, row);
    expect(await ask(operation, { headers })).toMatchObject({ status: 500, code: "internal_error" });
    await mend();
    expect((await ask(operation, { headers })).status).toBeLessThan(500);
  },
);

it("a payment request may be repeated while another one for its order has no outcome, because its host died", async () => {
  const { file, addPartner } = running();
  const added = await addPartner({ withoutAutopilot: true });
  const partner = partnerOn(file, added);
  await partner.silent.online();
  const orderId = randomUUID();
  const body = partner.request({ merchantReferences: { orderId } });
  const order = { merchantId: body.merchantID, orderId, currency: body.currency, amount: 12550 };
  const entered = {
    partnerId: added.partnerID,
    terminalId: added.terminals.autopilot.pointOfServiceID,
    sessionId: randomUUID(),
    commandId: randomUUID(),
    strict: false,
    hold: "living",
    since: new Date().toISOString(),
  } as const;
  await ordersTable(rowsOf(file, "orders")).save(order, [entered], undefined);
  const refusal = await partner.pay(body);
  expect(refusal).toMatchObject({ status: 409, body: { code: "possible_duplicate", retryable: true } });
  expect(refusal.headers.get("retry-after")).toBe("5");
});

it("an operation says whether another request under its Idempotency-Key has no outcome, or was accepted", async () => {
  const { file, addPartner } = running();
  const added = await addPartner({ withoutAutopilot: true });
  const partner = partnerOn(file, added);
  await partner.silent.online();
  const [accepted, underWay] = [randomUUID(), randomUUID()];
  const { partnerID: partnerId } = added;
  const { sessionID, pointOfServiceID } = partner.request();
  const body = { ...partner.request(), sessionID, pointOfServiceID };
  expect(await partner.pay(body, { "Idempotency-Key": accepted })).toMatchObject({ status: 202 });
  // Its host died before the commit.
  const subject = { kind: "payment", partnerId, terminalId: pointOfServiceID, sessionId: randomUUID() } as const;
  const at = new Date().toISOString();
  const holder = { operation: "request", subject, terminalId: pointOfServiceID, commandId: randomUUID(), at } as const;
  const entry = { hash: hashOfKey(underWay), holder, read: undefined };
  await idempotencyKeysTable(rowsOf(file, "sessions")).bind(partnerId, entry);
  const of = { sessionID, pointOfServiceID };
  const asked = [
    ["/pos-payment-request", { ...body, sessionID: randomUUID() }],
    ["/pos-payment-cancel", { ...of, msgType: "paymentCancel" }],
    ["/pos-payment-capture", { ...of, msgType: "paymentCapture" }],
    ["/action-request-response", { actionRequestID: randomUUID(), responseCode: "accepted" }],
  ] as const;
  for (const [path, given] of asked) {
    const waits = await partner.send("POST", path, given, { "Idempotency-Key": underWay });
    expect(waits).toMatchObject({ status: 409, body: { code: "idempotency_in_progress", retryable: true } });
    expect(waits.headers.get("retry-after")).toBe("1");
    const other = await partner.send("POST", path, given, { "Idempotency-Key": accepted });
    expect(other).toMatchObject({ status: 422, body: { code: "idempotency_mismatch", sessionID } });
  }
});
