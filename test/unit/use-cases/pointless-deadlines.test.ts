import { expect, it } from "vitest";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { Announcement } from "../../../shared/ports/announcements.ts";
import { paymentSubject } from "../../../shared/use-cases/payments/payment-subject.ts";
import { aPaymentIn } from "../../support/a-payment.ts";
import { partnerId } from "../../support/platform.ts";

const announced: Announcement = {
  v: 1,
  subject: { kind: "payment", partnerId, sessionId: "s" },
  commandId: "arms",
  effect: "deadline~expiry",
  sequence: 2,
};
const isPointless = (payment: Payment | undefined, announcement = announced) => {
  const find = async () => payment && { payment, etag: "e" };
  const payments = { find, findOrTombstone: find, unlist: async () => {} };
  return paymentSubject({ payments }).isPointless?.({ partnerId, sessionId: "s" }, announcement);
};

it.each([
  ["one that its payment awaits no more", aPaymentIn("captured", { sequence: 3 }), true],
  [
    "one that was to be set by a change that another one has come before",
    aPaymentIn("declined", { sequence: 2 }),
    true,
  ],
  ["one that its payment awaits", aPaymentIn("inProgress", { sequence: 2 }), false],
  ["one whose change may still come", aPaymentIn("pending", { sequence: 1 }), false],
  ["one whose payment may still come", undefined, false],
])(
  "a deadline is dropped without reading its command only if the payment does not await it: %s",
  async (_, payment, is) => {
    expect(await isPointless(payment)).toBe(is);
  },
);

it("the command of any other effect, and of a deadline that is announced again, is read", async () => {
  const payment = aPaymentIn("captured", { sequence: 3 });
  expect(await isPointless(payment, { ...announced, effect: "webhook~payment.captured" })).toBe(false);
  expect(await isPointless(payment, { ...announced, sequence: undefined })).toBe(false);
});
