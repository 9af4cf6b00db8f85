import { expect, it } from "vitest";
import type { Payment } from "../../../../shared/domain/payment/record/payment.ts";
import { after } from "../../../../shared/domain/time.ts";
import { lookAtPayment } from "../../../../shared/use-cases/payments/look-at-payment.ts";
import { aPayment, aPaymentIn, approval, now } from "../../../support/a-payment.ts";
import { aCall } from "../../../support/calls.ts";
import { aPlatform, partnerId, terminalId } from "../../../support/platform.ts";

const at = after(now, 30);
const key = { partnerId, terminalId, sessionId: "s" };

/** A look of the change with sequence 2, at this payment. Nothing but the payment can be read. */
async function seenBy(payment: Payment | undefined) {
  const { deps } = await aPlatform();
  const payments = { ...deps.payments, findOrTombstone: async () => payment && { payment, etag: "e" } };
  const unread = () => Promise.reject(new Error("the inbox was read"));
  const seen = { ...deps, payments, inboxes: { ...deps.inboxes, unanswered: unread } };
  return lookAtPayment(seen, aCall(deps), { key, at, sequence: 2 });
}
const awaiting = (until: string) => ({ sequence: 2, deadlines: [{ name: "expiry", at: until } as const] });

it.each([
  ["a payment that awaits nothing", aPaymentIn("captured", { sequence: 3 }), "pointless"],
  ["one that another change has changed instead", aPaymentIn("declined", { sequence: 2 }), "pointless"],
  ["one that awaits something later", aPaymentIn("inProgress", awaiting(after(now, 120))), { lookAt: after(now, 120) }],
  ["one whose change may still come", aPaymentIn("pending", { sequence: 1 }), undefined],
  ["one that may still come", undefined, undefined],
])("a look reads nothing else if the payment alone shows that nothing is due: %s", async (_, payment, seen) => {
  expect(await seenBy(payment)).toEqual(seen);
});

it("a payment that ends in time has one look, which one reading answers", async () => {
  const payment = await aPayment({ captureMode: "automatic" });
  await payment.sendReport("accepted");
  await payment.sendReport("authorized", approval);
  const looks = () =>
    payment.platform.queued.filter(
      ({ announcement: { effect, subject } }) => effect === "look" && subject.kind === "payment",
    );
  expect(looks()).toHaveLength(1);
  await payment.platform.pass(31);
  expect(looks()).toEqual([]);
});

it("a lost look is sent again by the first change that comes a minute after its time", async () => {
  const payment = await aPayment();
  const { platform } = payment;
  platform.queued.splice(0); // the queue loses the look at its acceptance
  await payment.sendReport("accepted");
  await platform.pass(181);
  expect(await payment.now()).toMatchObject({ status: "inProgress" });
  await payment.reduce(1);
  await platform.pass();
  expect(await payment.now()).toMatchObject({ status: "cancelRequested", cancelRequestedBy: "platform" });
});

it("what cannot be acted on yet does not keep another deadline from being acted on, and nobody looks in a circle", async () => {
  const payment = await aPayment();
  const { deps, queued } = payment.platform;
  await payment.sendReport("authorized", approval);
  const stored = await deps.payments.find(payment.key);
  if (!stored) throw new Error("there is no payment");
  // A restore's query is unanswered, so the end of the time to capture waits.
  await deps.payments.commit(payment.key, {
    payment: { ...stored.payment, restored: 2, statusReason: "outcomeUnknown", sequence: 3 },
    read: stored,
    entry: { sequence: 3, at: now, by: "operator", event: "restored", to: "authorized" },
  });
  await payment.platform.pass(37 * 3600);
  expect(await payment.now()).toMatchObject({ status: "authorized", deadlines: [{ name: "capture" }] });
  expect(queued).toEqual([]);
});
