import { describe, expect, it } from "vitest";
import { requestPayment } from "../../../../shared/use-cases/payments/request-payment.ts";
import { aPayment, approval } from "../../../support/a-payment.ts";
import { aRequest, callBy } from "../../../support/platform.ts";
import { alertsOf, authorized, captured, charge } from "../a-contradiction.ts";

const card = { brand: "Visa", last4: "4242", entryMode: "chip" };
const sale = { authorisationCode: "A1", rrn: "000000000001", stan: "1", tid: "T1", mid: "M1" };
const later = { authorisationCode: "L2", rrn: "000000000002" };
const approved = { ...approval, card, acquirer: sale };

type AnyPayment = Awaited<ReturnType<typeof authorized>>;

/** The evidence of the payment's bookings by kind. */
async function evidenceOf({ platform, terminalId, sessionId }: AnyPayment) {
  const days = (await platform.deps.bookings.ofFile({ terminalId, day: "2026-11-21" })).filter(
    (one) => one.sessionId === sessionId,
  );
  return Object.fromEntries(days.map(({ kind, evidence }) => [kind, evidence]));
}

async function capturedWith(acquirer: typeof later | undefined) {
  const payment = await authorized(approved);
  await payment.capture();
  await payment.platform.pass();
  const { messageId } = (await payment.fetch()) ?? {};
  await payment.sendReport("captured", { ...approval, messageId, acquirer });
  return payment;
}

describe("the card and the references of a capture", () => {
  it("stand beside those of the approval, which alone identify the charge", async () => {
    const payment = await capturedWith(later);
    const [known] = (await payment.now()).charges;
    expect(known).toMatchObject({ card, acquirer: sale, captureEvidence: { acquirer: later } });
    await payment.sendReport("authorized", approved);
    expect((await payment.now()).charges).toEqual([known]);
    expect(await alertsOf(payment)).toEqual([]);
    await payment.sendReport("authorized", { ...approved, acquirer: { ...sale, ...later } });
    expect(await alertsOf(payment)).toEqual(["chargeChanged charge-1 1"]);
  });

  it("are the movement's own in the books, where the card and the acquirer's names fall back to the charge", async () => {
    const { brand, last4 } = card;
    const { tid, mid } = sale;
    expect(await evidenceOf(await capturedWith(later))).toEqual({ capture: { brand, last4, ...later, tid, mid } });
    expect(await evidenceOf(await capturedWith(undefined))).toEqual({ capture: { brand, last4, tid, mid } });
  });

  it("are the charge's own if the capture was the first news of it, or the approval was the capture", async () => {
    const first = await aPayment({ captureMode: "automatic" });
    await first.sendReport("captured", { ...approved, messageId: (await first.now()).requestedBy });
    await first.sendReport("captured", { ...approved, acquirer: { ...sale, rrn: "000000000009" } });
    const [known] = (await first.now()).charges;
    expect(known).toMatchObject({ acquirer: sale, fromCapture: true });
    expect(known).not.toHaveProperty("captureEvidence.acquirer");

    const automatic = await captured(approved);
    const { stan: _, ...pair } = sale;
    expect(await evidenceOf(automatic)).toEqual({ capture: { brand: card.brand, last4: card.last4, ...pair } });
  });
});

describe("the card and the references of money that goes back", () => {
  it("stand at the refund that was made", async () => {
    const payment = await captured(approved);
    await payment.refund(25.5, { refundId: "with" });
    await payment.refund(10, { refundId: "without" });
    await payment.sendReport("refunded", { refundId: "with", amount: 2_550, currency: "SEK", card, acquirer: later });
    await payment.sendReport("refunded", { refundId: "with", amount: 2_550, currency: "SEK", acquirer: sale });
    const [refund] = (await payment.now()).refunds;
    expect(refund).toMatchObject({ card, acquirer: later });
    expect((await evidenceOf(payment))["refund"]).toMatchObject(later);
    await payment.sendReport("refunded", { refundId: "without", amount: 1_000, currency: "SEK" });
    expect((await evidenceOf(payment))["refund"]).toEqual({ brand: "Visa", last4: "4242", tid: "T1", mid: "M1" });
  });

  it("stand at the charge that was given back, with the code of its last failure until then", async () => {
    const payment = await authorized(approved);
    await payment.cancel();
    await payment.platform.pass();
    const { messageId } = (await payment.fetch()) ?? {};
    await payment.sendReport("voidFailed", { ...charge, messageId, declineCode: "issuerUnavailable", hostCode: "91" });
    expect((await payment.now()).charges[0]).toMatchObject({ declineCode: "issuerUnavailable", hostCode: "91" });
    await payment.sendReport("voided", { ...charge, acquirer: later });
    const [known] = (await payment.now()).charges;
    expect(known).toMatchObject({ status: "voided", acquirer: sale, reversalEvidence: { acquirer: later } });
    expect(known?.declineCode).toBeUndefined();
  });

  it("are not taken from a report that moves nothing", async () => {
    const payment = await captured(approved);
    await payment.sendReport("voided", { ...charge, acquirer: later });
    expect((await payment.now()).charges[0]?.reversalEvidence).toBeUndefined();
  });
});

describe("the code of a decline", () => {
  it("stands beside the reason, and leaves with it", async () => {
    const payment = await aPayment();
    await payment.sendReport("declined", { declineCode: "wrongPin", hostCode: "55" });
    expect(await payment.now()).toMatchObject({ status: "declined", declineCode: "wrongPin", hostCode: "55" });

    const sold = await authorized(approved);
    await sold.capture();
    await sold.sendReport("captureFailed", { ...charge, declineCode: "limitExceeded" });
    expect(await sold.now()).toMatchObject({ statusReason: "captureFailed", declineCode: "limitExceeded" });
    await sold.capture();
    expect((await sold.now()).declineCode).toBeUndefined();
  });

  it("stands at the refund that failed", async () => {
    const payment = await captured(approved);
    await payment.refund(10, { refundId: "one" });
    await payment.sendReport("refundFailed", { refundId: "one", declineCode: "doNotHonour" });
    expect((await payment.now()).refunds[0]).toMatchObject({ status: "failed", declineCode: "doNotHonour" });
  });
});

it("The names and values of a partner are kept, and a repeated request does not change them", async () => {
  const { platform, sessionId, now, open } = await aPayment({ metadata: { table: "12" } });
  const again = aRequest({ sessionId, metadata: { table: "13" } });
  expect(await requestPayment(platform.deps, callBy(platform.deps), again)).toMatchObject({
    ok: true,
    value: { replayed: true, payment: { metadata: { table: "12" } } },
  });
  expect((await now()).metadata).toEqual({ table: "12" });
  expect(await open()).toEqual(["payment"]);
});
