import { describe, expect, it } from "vitest";
import { isFinal, paymentStates, type Payment } from "../../../../shared/domain/payment/record/payment.ts";
import { decideReport } from "../../../../shared/domain/payment/reports/reports.ts";
import { after } from "../../../../shared/domain/time.ts";
import { aPaymentIn, approval, now, timings } from "../../../support/a-payment.ts";

/** The payments end 120 s after their request. The approval arrives 80 s later. */
const arrival = { now: after(now, 200), commandId: "c2", timings };
const authorized = { reportId: "r", type: "authorized", ...approval } as const;

const heard = (payment: Payment, agoMs?: number) =>
  decideReport(payment, { ...authorized, agoMs }, arrival, undefined).payment;

const byPlatform = { cancelRequestedBy: "platform" } as const;
const waiting: readonly (readonly [string, Payment])[] = [
  ["cancelled by its deadline", aPaymentIn("cancelRequested", byPlatform)],
  ["in doubt after its deadline", aPaymentIn("reconciling", byPlatform)],
  ["in doubt because the terminal fell silent", aPaymentIn("reconciling")],
];

describe("the approval of a payment whose terminal had no line", () => {
  describe.each(waiting)("%s", (_, payment) => {
    it("counts if it happened before expiresAt", () => {
      expect(heard(payment, 80_001)).toMatchObject({ status: "authorized", statusReason: undefined });
      expect(heard({ ...payment, captureMode: "automatic" }, 80_001)).toMatchObject({
        status: "captured",
        amounts: { captured: 12_550 },
      });
    });

    it.each([undefined, 0, 79_999, 80_000])("is given back if it happened %s ms before its arrival", (agoMs) => {
      expect(heard(payment, agoMs)).toMatchObject({ status: "voidRequested", statusReason: "lateApproval" });
    });

    it("is given back if its amount is another", () => {
      const { status, statusReason } = heard({ ...payment, amounts: { ...payment.amounts, requested: 9_900 } }, 80_001);
      expect({ status, statusReason }).toEqual({ status: "voidRequested", statusReason: "amountMismatch" });
    });
  });

  it.each(["cancelRequested", "reconciling"] as const)(
    "is given back or kept, as the partner wished, after the partner's cancel: %s",
    (state) => {
      for (const cancel of [{ cancelRequestedBy: "partner" }, { ...byPlatform, partnerCancelled: true }] as const) {
        expect(heard(aPaymentIn(state, cancel), 200_000)).toMatchObject({ status: "voidRequested" });
        expect(heard(aPaymentIn(state, { ...cancel, lateApproval: "keep" }), 0)).toMatchObject({
          status: "authorized",
        });
      }
    },
  );

  it.each(paymentStates.filter((state) => isFinal(state) || state === "voidRequested"))(
    "revives no payment that has ended or is given back: %s",
    (state) => {
      const payment = aPaymentIn(state, byPlatform);
      const second = { ...authorized, chargeId: "charge-2", agoMs: 200_000 };
      const { payment: next } = decideReport(payment, second, arrival, undefined);
      expect(next).toMatchObject({ status: state, amounts: payment.amounts });
      expect(next.charges.at(-1)).toMatchObject({ chargeId: "charge-2", status: "reversing" });
    },
  );
});
