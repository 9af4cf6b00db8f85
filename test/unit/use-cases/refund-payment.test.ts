import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { terminalReportBody } from "../../../shared/contracts/requests/terminal-report.ts";
import { aPayment, approval } from "../../support/a-payment.ts";

/** A captured payment of 125.50 SEK. Its terminal has no message left to fetch. */
async function aCaptured() {
  const payment = await aPayment({ captureMode: "automatic" });
  const { messageId } = await fetched(payment);
  await payment.sendReport("accepted", { messageId });
  await payment.sendReport("authorized", { ...approval, messageId });
  return payment;
}
type Captured = Awaited<ReturnType<typeof aPayment>>;

async function fetched(payment: Captured) {
  const row = await payment.fetch();
  if (!row) throw new Error("there is no message");
  return row;
}

/** The terminal makes the refund that it fetches next. */
async function made(payment: Captured) {
  const { messageId, message } = await fetched(payment);
  if (message.type !== "refund") throw new Error(`a ${message.type} came first`);
  await payment.sendReport("refunded", { messageId, refundId: message.refundId.toLowerCase() });
  return message;
}

const replayed = { code: "ok", replayed: true };
const madeAnew = { code: "ok", replayed: false };
const mismatch = { code: "idempotency_mismatch" };

it("a refund on a retired terminal is refused at once; an earlier one is replayed", async () => {
  const payment = await aCaptured();
  const { deps } = payment.platform;
  await payment.refund(50, { refundId: "first" });
  await made(payment);
  const { terminalId } = await payment.now();
  const view = await deps.terminals.find(terminalId);
  if (!view) throw new Error("the terminal is gone");
  await deps.terminals.retire({ ...view.terminal, retiredAt: deps.clock.now() }, view);
  const detail = expect.stringContaining("permanently out of service");
  const refused = { code: "invalid_state", currentStatus: "captured", detail };
  expect(await payment.refund(25, { refundId: "second" })).toMatchObject(refused);
  expect(await payment.refund(50, { refundId: "first" })).toMatchObject(replayed);
  expect((await payment.now()).refunds).toMatchObject([{ refundId: "first", status: "succeeded" }]);
  expect(await payment.open()).toEqual([]);
});

it("a refund that the terminal makes in part raises an alert, and leaves the rest refundable", async () => {
  const payment = await aCaptured();
  await payment.refund(100, { refundId: "part" });
  const { messageId } = await fetched(payment);
  await payment.sendReport("refunded", { messageId, refundId: "part", amount: 6_000, currency: "SEK" });
  const { sessionId } = await payment.now();
  const alerts = await payment.platform.deps.alerts.of(sessionId);
  expect(alerts.map(({ alert: { kind, about } }) => ({ kind, about }))).toEqual([
    { kind: "amountDiffers", about: "part" },
  ]);
  expect(await payment.refund(65.51, { refundId: "more" })).toMatchObject({ code: "amount_exceeds_refundable" });
  expect(await payment.refund(65.5, { refundId: "rest" })).toMatchObject(madeAnew);
});

it("a refund on a terminal that is retired at the same moment fails, and the partner is notified", async () => {
  const payment = await aCaptured();
  const { deps } = payment.platform;
  const { terminalId, sessionId } = await payment.now();
  const view = await deps.terminals.find(terminalId);
  if (!view) throw new Error("the terminal is gone");
  await payment.refund(25, { refundId: "late" });
  await deps.terminals.retire({ ...view.terminal, retiredAt: deps.clock.now() }, view);
  await payment.platform.pass(deps.timings.outcomeSeconds);
  expect((await payment.now()).refunds).toMatchObject([{ status: "failed", statusReason: "notDelivered" }]);
  const events = payment.platform.webhooksSent.map(({ id, body }) => [id.startsWith(sessionId), body] as const);
  expect(events.at(-1)).toEqual([true, expect.stringContaining("refund.failed")]);
});

it("a refund that is meant as another one needs a name, whichever; it is refused before the payment is read", async () => {
  const payment = await aCaptured();
  const unnamed = { confirmDuplicate: true };
  await payment.refund(10);
  await made(payment);
  const { payments } = payment.platform.deps;
  const { findOrTombstone } = payments;
  Object.assign(payments, { findOrTombstone: () => Promise.reject(new Error("the payment was read")) });
  expect(await payment.refund(10, unnamed)).toMatchObject({
    code: "validation_failed",
    errors: [{ field: "refundID", code: "required" }],
  });
  Object.assign(payments, { findOrTombstone });
  expect(await payment.refund(10, { confirmDuplicate: false })).toMatchObject({ code: "possible_duplicate" });
  expect(await payment.refund(10, { ...unnamed, refundId: "second" })).toMatchObject(madeAnew);
  expect(await payment.refund(10, { ...unnamed, idempotencyKey: "third" })).toMatchObject(madeAnew);
});

/** The refundID that responses show for the first refund. */
const shownBy = async (payment: Captured) => {
  const [refund] = (await payment.now()).refunds;
  if (!refund) throw new Error("there is no refund");
  return refund.refundId;
};

describe.each([
  ["nothing", {}],
  ["an Idempotency-Key", { idempotencyKey: "return 77" }],
  ["a refundID", { refundId: randomUUID() }],
  ["a refundID in capitals", { refundId: randomUUID().toUpperCase() }],
])("a refund that its partner named by %s", (_, named) => {
  it("is named by the refundID that its response shows, in upper or lower case", async () => {
    const payment = await aCaptured();
    await payment.refund(50, named);
    const refundId = await shownBy(payment);

    for (const name of [refundId, refundId.toUpperCase(), refundId.toLowerCase()]) {
      expect(await payment.refund(50, { refundId: name })).toMatchObject(replayed);
      expect(await payment.refund(25, { refundId: name })).toMatchObject(mismatch);
      expect(await payment.refund(50, { refundId: name }, "another reason")).toMatchObject(mismatch);
    }
    expect((await payment.now()).refunds).toHaveLength(1);
  });

  it("is made once, however often that refundID is repeated", async () => {
    const payment = await aCaptured();
    await payment.refund(50, named);
    const refundId = await shownBy(payment);
    await payment.refund(50, { refundId });
    await made(payment);
    await payment.refund(50, { refundId });

    expect(await payment.fetch()).toBeUndefined();
    await payment.platform.pass(601);
    expect((await payment.now()).refunds).toMatchObject([{ amount: 5_000, status: "succeeded" }]);
  });
});

describe("the names of refunds", () => {
  it("cannot be used for another refund once the first has ended", async () => {
    const payment = await aCaptured();
    await payment.refund(100);
    const refundId = await shownBy(payment);
    const first = await made(payment);

    expect(await payment.refund(25, { refundId })).toMatchObject(mismatch);
    await payment.platform.pass(601);
    expect((await payment.now()).refunds).toMatchObject([{ amount: 10_000, status: "succeeded" }]);

    expect(await payment.refund(125.5)).toMatchObject({ code: "amount_exceeds_refundable" });
    expect(await payment.fetch()).toBeUndefined();
    expect(first.amount).toBe(10_000);
  });

  it("of one refund mean it each alone and both together", async () => {
    const payment = await aCaptured();
    const both = { refundId: randomUUID(), idempotencyKey: "return 77" };
    await payment.refund(50, both);
    for (const named of [both, { refundId: both.refundId }, { idempotencyKey: both.idempotencyKey }])
      expect(await payment.refund(50, named)).toMatchObject(replayed);
  });

  it("mean one refund as the key that named it and the refundID of its response", async () => {
    const payment = await aCaptured();
    await payment.refund(50, { idempotencyKey: "return 77" });
    const both = { refundId: await shownBy(payment), idempotencyKey: "return 77" };
    expect(await payment.refund(50, both)).toMatchObject(replayed);
    expect(await payment.refund(49, both)).toMatchObject(mismatch);
  });

  it("of different refunds, or one known and one new, are refused together", async () => {
    const payment = await aCaptured();
    const [one, other] = [randomUUID(), randomUUID()];
    await payment.refund(50, { refundId: one });
    await payment.refund(50, { idempotencyKey: "the other" });

    for (const named of [
      { refundId: one, idempotencyKey: "the other" },
      { refundId: one, idempotencyKey: "new" },
      { refundId: other, idempotencyKey: "the other" },
    ])
      expect(await payment.refund(50, named)).toMatchObject(mismatch);
    expect(await payment.refund(10, { refundId: other })).toMatchObject(madeAnew);
    expect(await payment.refund(10, { idempotencyKey: "new" })).toMatchObject(madeAnew);
  });

  it("are the same as a key and as a refundID", async () => {
    const payment = await aCaptured();
    await payment.refund(50);
    const idempotencyKey = (await shownBy(payment)).toUpperCase();
    expect(await payment.refund(50, { idempotencyKey })).toMatchObject(replayed);

    const name = randomUUID();
    await payment.refund(20, { idempotencyKey: name });
    expect(await payment.refund(20, { refundId: name })).toMatchObject(replayed);
    expect((await payment.now()).refunds).toHaveLength(2);
  });

  it("that are keys are distinguished by case", async () => {
    const payment = await aCaptured();
    await payment.refund(50, { idempotencyKey: "return a" });
    expect(await payment.refund(50, { idempotencyKey: "return A" })).toMatchObject(madeAnew);
  });
});

describe("a terminal's answer to a refund", () => {
  it("is recognised in lower case when the partner named the refund in capitals", async () => {
    const payment = await aCaptured();
    const refundId = randomUUID().toUpperCase();
    await payment.refund(50, { refundId });
    await fetched(payment); // the terminal then loses it
    await payment.platform.pass(601);
    expect((await payment.now()).refunds).toMatchObject([{ status: "pending", statusReason: "outcomeUnknown" }]);

    const sent = { type: "refunded", reportID: randomUUID(), sessionID: payment.sessionId, messageID: randomUUID() };
    const read = terminalReportBody.parse({ ...sent, refundID: refundId.toLowerCase(), amount: 50, currency: "SEK" });
    if (read.of !== "payment") throw new Error("it is read as something else");
    await payment.sendReport("refunded", read.report);
    expect((await payment.now()).refunds).toMatchObject([{ status: "succeeded" }]);
  });

  it("concerns the refund that it names, whatever message it names", async () => {
    const payment = await aCaptured();
    const [one, other] = [randomUUID(), randomUUID()];
    await payment.refund(50, { refundId: one });
    await payment.refund(20, { refundId: other });
    await fetched(payment);
    await payment.platform.pass(11);
    const { refunds } = await payment.now();
    await payment.sendReport("refunded", { messageId: refunds[1]?.commandId ?? "", refundId: one });
    expect((await payment.now()).refunds).toMatchObject([
      { amount: 5_000, status: "succeeded" },
      { amount: 2_000, status: "pending" },
    ]);
    // The other refund's message is not concluded.
    expect(await payment.open()).toContain("refund");
  });
});
