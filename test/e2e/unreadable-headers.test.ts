import { randomUUID } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { apiPaths } from "../../shared/edge/http/api-paths.ts";
import { asksOf, credentialsOf } from "../support/any-operation.ts";
import { documentedOperations, type DocumentedOperation } from "../support/api-documents.ts";
import { partnerFor } from "../support/partner.ts";

// Headers at which servers and libraries on the way fail before the function runs. A proxy between a shop and the platform may add them.

const stack = inject("stack");
const ask = asksOf(stack);
const { partner, onAutopilot, pay, until, refund, request, silent } = partnerFor("unreadable headers");

/** A header's value for `fetch`, which takes bytes. */
const utf8 = (text: string) => Buffer.from(text).toString("latin1");
const CITY = utf8("Łódź");
const odd = {
  "X-City": CITY,
  "X-Region": "S\u00e3o Paulo",
  "X-Mood": utf8("😀"),
  traceparent: utf8("00-ł"),
  tracestate: CITY,
  baggage: CITY,
  "Request-Id": CITY,
  "Correlation-Context": CITY,
  Cookie: `a=${CITY}`,
  Forwarded: `for=${CITY}`,
  "X-Forwarded-Proto": "https, http",
  "Disguised-Host": "a..b",
  "X-Waws-Unencoded-Url": "report",
  "Was-Default-Hostname": CITY,
  "X-MS-Client-Principal": "%",
  Prefer: CITY,
  Accept: CITY,
};
/** The first operation of each API with a body, and the first without. */
const operations = documentedOperations
  .filter((one, n, all) => all.findIndex(({ api, body }) => api === one.api && !body === !one.body) === n)
  .map((operation) => [operation.operationId, operation] as const);

/** A call that reaches the function, and is refused or reads only. */
const harmless = ({ body }: DocumentedOperation) => (body === undefined ? {} : { body: "{}" });

describe("an operation", () => {
  it.each(operations)("(%s) does the same with headers that nobody can read", async (_, operation) => {
    const usual = await ask(operation, harmless(operation));
    const { status, code } = await ask(operation, { ...harmless(operation), headers: odd });
    const polled = [200, 204]; // a terminal's message may arrive, or be absent
    expect([polled.includes(status) ? polled : status, code]).toEqual([
      polled.includes(usual.status) ? polled : usual.status,
      usual.code,
    ]);
  });

  it.each(operations)("(%s) does the same at the Functions host", async (_, operation) => {
    const { api, method, path, operationId } = operation;
    const keys = { partners: stack.demo.functionsKeys.partners, terminals: stack.demo.functionsKeys.terminals };
    const ofConsumer: Readonly<Record<string, string>> = stack.demo.consumer.functionKeys;
    const response = await fetch(`${stack.functionsUrl}${path.replace(apiPaths[api], "")}`, {
      method,
      headers: {
        ...credentialsOf(stack)[api],
        "x-functions-key": api === "consumer" ? (ofConsumer[operationId] ?? "") : keys[api],
        "Content-Type": "application/json",
        "X-City": CITY,
      },
      ...harmless(operation),
    });
    expect(response.status).toBe((await ask(operation, harmless(operation))).status);
  });
});

describe("a header of the platform's own", () => {
  const invalid = { status: 401, code: "invalid_credentials" };

  it.each(operations)("(%s) that nobody can read is a refused credential", async (_, operation) => {
    const { api } = operation;
    for (const name of Object.keys(credentialsOf(stack)[api])) {
      if (name === "Authorization" && operation.method === "GET") continue;
      const field = { field: name, code: "invalid" };
      expect(await ask(operation, { headers: { [name]: CITY } })).toMatchObject({ ...invalid, errors: [field] });
    }
  });

  it("that nobody can read names no refund", async () => {
    const body = onAutopilot({ captureMode: "automatic" });
    await silent.online();
    await pay(body);
    await until(body.sessionID, "captured");
    for (const key of [CITY, "S\u00e3o Paulo", utf8("é"), "?"]) {
      const field = { field: "Idempotency-Key", code: "invalid" };
      expect(await refund(body, 10, {}, { "Idempotency-Key": key })).toMatchObject({
        status: 422,
        body: { code: "validation_failed", errors: [field] },
      });
    }
  });
});

it("a report of money is recorded, also under a content type that nobody can read", async () => {
  await silent.online();
  const body = request();
  await pay(body);
  const { messageID, sessionID, totalAmountInclVat: amount, currency } = await silent.begin(body.sessionID);
  const reportID = randomUUID();
  const report = { reportID, type: "authorized", sessionID, messageID, chargeID: randomUUID(), amount, currency };
  const sent = await fetch(`${stack.terminalsUrl}/report`, {
    method: "POST",
    headers: { "x-terminal-key": partner.terminals.silent.terminalKey, ...odd, "Content-Type": CITY },
    body: JSON.stringify(report),
  });
  expect([sent.status, await sent.json()]).toEqual([200, { reportID, recorded: true }]);
  expect(await until(body.sessionID, "authorized")).toMatchObject({ amounts: { authorized: amount } });
});
