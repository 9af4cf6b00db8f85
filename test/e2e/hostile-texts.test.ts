import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { exportTables } from "../../infra/operator/backup/export-tables.ts";
import { exportFolder, importFolder } from "../../infra/operator/backup/folder.ts";
import { importTables } from "../../infra/operator/backup/import-tables.ts";
import type { EventPageObject } from "../../shared/contracts/events/event-page.ts";
import type { ActionRequestObject } from "../../shared/contracts/objects/action-request.ts";
import type { PaymentListObject } from "../../shared/contracts/objects/payment-list.ts";
import { MAX_LINES } from "../../shared/domain/payment/record/record-limits.ts";
import { sequenceAfterLost } from "../../shared/domain/payment/operator/restore.ts";
import { standardTimings } from "../../shared/domain/timings.ts";
import { eachTable, tablePorts } from "../../shared/stores/stores.ts";
import { rightBody } from "../hostile/bodies.ts";
import { targets } from "../hostile/operations.ts";
import { operatorOf } from "../support/admin.ts";
import { cardNumbers, readableDigits, spellings } from "../support/card-spellings.ts";
import { collectedLog } from "../support/collected-log.ts";
import { inMemoryRows } from "../support/in-memory-rows.ts";
import { partnerFor } from "../support/partner.ts";
import { hasPython, readByPython } from "../support/python.ts";
import { rowsOf } from "../support/table-access.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

// One text with everything that some reader stumbles over: line ends, commands of terminals, writing directions, combining and long characters.
// It goes through every field that a partner, a terminal or an operator can fill, and comes out as API behaviour says.

const LINE_ENDS = "\n\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029";
const COMMANDS = "\t\u001b[31m\u0007\u007f\u009b";
const DIRECTIONS = "\u202e\u2066\u061c\u200f";
const LETTERS = "e\u0301שלום漢😀\u{10ffff}\ufeff\uffff";
const hostile = `=1+"2,',\\${LINE_ENDS}${COMMANDS}${DIRECTIONS}${LETTERS}z`;
/** As the text of a terminal is stored. */
const clean = hostile.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ");
/** The text that a terminal sends: it is never refused for half of a character. */
const fromTerminal = `${hostile}\0\ud83d`;
const cleanFromTerminal = `${clean} \ufffd`;

const stack = inject("stack");
const partner = partnerFor("hostile texts");
const { silent, send } = partner;
const { admin, printed, shown } = operatorOf(stack);
let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  server = await startWebhookServer(partner.partner.webhookSecret);
});
afterAll(async () => server.close());

const references = { orderId: hostile, paymentId: hostile };

/** A payment with the text in every field, up to its refund and a contradiction that an operator decides. */
async function aHostilePayment() {
  await silent.online();
  const names = { merchantName: hostile, pointOfServiceName: hostile, merchantReferences: references };
  const body = partner.request({ ...names, captureMode: "automatic", responseWebhookUrl: server.url });
  const { sessionID } = body;
  expect(await partner.pay(body)).toMatchObject({ status: 202 });
  const message = await silent.begin(sessionID);
  expect(message).toMatchObject({ merchantName: hostile, orderId: hostile });
  const discount = { sessionID, discountAmount: 25.5, reason: hostile };
  expect(await partner.discount(discount)).toMatchObject({ status: 202 });
  const offered = await silent.reach("discount", sessionID);
  await silent.sendReport(offered, "discountApplied", { discountID: offered.discountID });
  const lines = [fromTerminal, ...Object.values(cardNumbers).flatMap(spellings)].slice(0, MAX_LINES);
  const chargeID = randomUUID();
  await silent.sendReport(message, "authorized", {
    chargeID,
    amount: 100,
    detail: fromTerminal,
    card: { brand: fromTerminal, last4: "1111" },
    receipt: { customer: lines, merchant: lines },
  });
  await partner.until(sessionID, "captured");
  expect(await partner.refund(body, 10, { refundReason: hostile })).toMatchObject({ status: 202 });
  const refund = await silent.reach("refund", sessionID);
  expect(refund).toMatchObject({ refundReason: hostile });
  await silent.sendReport(refund, "refundFailed", { refundID: refund.refundID, detail: fromTerminal });
  await silent.sendReport(message, "voided", { chargeID, detail: fromTerminal });
  await waitFor("the alert", () => shown("alert", "show", sessionID).catch(() => undefined));
  return { ...body, chargeID };
}

describe("a text that every reader stumbles over", () => {
  let payment: Awaited<ReturnType<typeof aHostilePayment>>;
  beforeAll(async () => {
    payment = await aHostilePayment();
  });

  it("reaches the partner's reads, lists, webhooks and feed as it was sent", async () => {
    const { sessionID } = payment;
    const read = await partner.read(sessionID);
    expect(read).toMatchObject({
      merchantReferences: references,
      discounts: [{ reason: hostile }],
      refunds: [{ refundReason: hostile, statusDetail: cleanFromTerminal }],
    });
    expect(read.receipt?.customer?.[0]).toBe(cleanFromTerminal);
    const query = new URLSearchParams({ orderId: hostile });
    const { payments } = (await send<PaymentListObject>("GET", `/pos-payments?${query.toString()}`)).body;
    expect(payments.map((one) => one.sessionID)).toEqual([sessionID]);
    const delivered = await server.until("payment.captured", sessionID);
    expect(delivered.event.data).toMatchObject({ merchantReferences: references });
    const { events } = (await send<EventPageObject>("GET", "/events")).body;
    expect(events).toContainEqual(delivered.event);
    expect((await partner.timeline(sessionID)).entries.map(({ detail }) => detail)).toContain(cleanFromTerminal);
  });

  it("of an action request is clean", async () => {
    const actionRequestID = randomUUID();
    const name = "\u0085\u2028\u202e😀";
    const asked = {
      actionRequestID,
      actionCode: fromTerminal,
      description: fromTerminal,
      data: { [name]: fromTerminal },
    };
    expect(await silent.client.raiseActionRequest(asked)).toBe(202);
    expect((await send<ActionRequestObject>("GET", `/action-request/${actionRequestID}`)).body).toMatchObject({
      actionCode: cleanFromTerminal,
      description: cleanFromTerminal,
      data: { "  \u202e😀": cleanFromTerminal },
    });
  });

  it("is one cell of the settlement file, and no formula", async () => {
    const day = (await partner.read(payment.sessionID)).createdAt.slice(0, 10);
    const answer = await fetch(`${stack.baseUrl}/settlements/${day}/file`, { headers: partner.headers });
    const csv = await answer.text();
    expect(csv).toContain(`"'${hostile.replaceAll('"', '""')}"`);
    if (hasPython) {
      const line = readByPython(csv).find(({ sessionID }) => sessionID === payment.sessionID);
      expect(line).toMatchObject({ orderId: `'${hostile}`, paymentId: `'${hostile}` });
    }
  });

  it("reaches an operator without a command, a line end or a turned direction, and the operator's own words are clean", async () => {
    const { sessionID } = payment;
    const session = ["--partner", partner.partner.partnerID, "--session", sessionID];
    const { sequence } = await partner.read(sessionID);
    const said = ["--by", hostile, "--why", hostile, "--note", hostile];
    await shown("payment", "resolve", ...session, "--outcome", "paid", "--sequence", String(sequence), ...said);
    expect((await partner.timeline(sessionID)).entries.at(-1)).toMatchObject({ event: "corrected", detail: clean });
    const texts = await Promise.all([
      printed("payment", "why", sessionID),
      printed("payment", "show", ...session),
      printed("alert", "show", sessionID),
    ]);
    for (const { out } of texts) {
      expect(out).toContain("שלום");
      expect(out).not.toMatch(/[^\P{Cc}\n]|[\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066\u2067]/u);
      expect(out.split("\u2068")).toHaveLength(out.split("\u2069").length);
    }
    const json = (await admin("payment", "show", ...session, "--json")).out;
    expect(json).not.toMatch(/[^\P{Cc}\n]|[\u2028\u2029]/u);
    expect(JSON.parse(json)).toMatchObject({ merchantReferences: references });
  });

  it("survives export and import, every line of the export is JSON to a reader that knows other line ends, and none has a card number", async () => {
    const folder = await mkdtemp(join(tmpdir(), "hostile-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const [from, into] = [eachTable((table) => rowsOf(stack, table)), eachTable(() => inMemoryRows())];
    const now = () => new Date().toISOString();
    await exportTables(from, await exportFolder(join(folder, "export")), { now });
    const file = await readFile(join(folder, "export", "Terminals.jsonl"), "utf8");
    for (const line of file.trimEnd().split(/[\n\v\f\r\u0085\u2028\u2029]/))
      expect(() => JSON.parse(line)).not.toThrow();
    const own = file.split("\n").filter((line) => line.includes(payment.sessionID));
    for (const number of Object.values(cardNumbers)) expect(readableDigits(own.join("\n"))).not.toContain(number);
    const deps = { tables: into, timings: standardTimings, log: collectedLog() };
    await importTables(deps, await importFolder(join(folder, "export"), "elsewhere"), { now, newId: randomUUID });
    const { pointOfServiceID: terminalId, sessionID: sessionId } = payment;
    const key = { partnerId: partner.partner.partnerID, terminalId, sessionId };
    const [before, after] = await Promise.all([from, into].map((tables) => tablePorts(tables).payments.find(key)));
    const sequence = sequenceAfterLost(before?.payment.sequence ?? 0);
    expect(after?.payment).toEqual({ ...before?.payment, sequence });
  });
});

/** The texts of a request that have no form of their own. */
const freeTexts = targets.flatMap((target) =>
  target.fields
    .filter(
      ({ schema }) => schema.type === "string" && !("format" in schema || "const" in schema || "pattern" in schema),
    )
    .filter(({ schema }) => schema.enum === undefined)
    .map(({ path }) => ({ target, path })),
);

describe("a text that not every language can read", () => {
  const ofCallers = freeTexts.filter(({ target }) => target.api === "partners");

  it("is refused in every text of a partner, with the member", async () => {
    expect(ofCallers.length).toBeGreaterThan(5);
    for (const { target, path } of ofCallers)
      for (const text of ["x\0", "x\ud83d"]) {
        const body = withMember(rightBody(target, {}), path, text);
        const answer = await partner.refused(target.method, target.path, body);
        expect([target.operationId, answer.status, answer.body.errors]).toMatchObject([
          target.operationId,
          422,
          expect.arrayContaining([
            { field: path.join("."), code: "invalid", message: "must not contain NUL or half of a surrogate pair" },
          ]),
        ]);
      }
  });
});

function withMember(
  body: Readonly<Record<string, unknown>>,
  [name = "", ...rest]: readonly string[],
  text: string,
): object {
  const inner = (body[name] ?? {}) as Readonly<Record<string, unknown>>;
  return { ...body, [name]: rest.length === 0 ? text : withMember(inner, rest, text) };
}
