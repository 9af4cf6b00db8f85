import { describe, expect, it } from "vitest";
import { toPaymentObject } from "../../../shared/contracts/objects/payment.ts";
import type { HistoryEntry } from "../../../shared/domain/payment/record/history-entry.ts";
import { ownCaptured } from "../../../shared/domain/payment/record/kept-money.ts";
import { isFinal, payableAmount } from "../../../shared/domain/payment/record/payment.ts";
import { ruleFor } from "../../../shared/domain/payment/life/rule-for.ts";
import { isAwaited } from "../../../shared/domain/payment/life/timeouts.ts";
import { after } from "../../../shared/domain/time.ts";
import { now, timings } from "../../support/a-payment.ts";
import { fc } from "../../support/drawn.ts";
import { expectRefundsToLast, expectToBeCovered, expectToGoBack } from "./expect-books.ts";
import { happenings, start } from "./happenings.ts";

describe("a payment under any events in any order", () => {
  it("has consistent amounts, sequence and history", () => {
    fc.assert(
      fc.property(start, happenings, (first, list) => {
        let payment = first;
        let captures = first.status === "captured" ? 1 : 0;
        const history: HistoryEntry[] = [];
        for (const [i, happen] of list.entries()) {
          const context = { now: after(now, i), commandId: `c${i + 2}`, timings };
          const change = happen(payment, context);
          if (!change) continue;
          const { payment: next, entry } = change;

          expect(next.sequence).toBe(payment.sequence + 1);
          expect(entry).toMatchObject({ sequence: next.sequence, from: payment.status, to: next.status });
          if (payment.status !== next.status && entry.event !== "request") {
            const moment = { ...context, agoMs: entry.agoMs };
            expect(ruleFor({ ...payment, ...next, status: payment.status }, entry.event, moment)?.to).toBe(next.status);
          }
          if (isFinal(payment.status)) expect(next.status).toBe(payment.status);
          if (payment.status !== "captured" && next.status === "captured") captures++;

          expectRefundsToLast(payment.refunds, next.refunds, entry.event);
          const { amounts } = next;
          for (const value of [amounts.discounted, amounts.authorized, amounts.captured])
            expect(value).toBeGreaterThanOrEqual(0);
          const open = next.discounts.reduce((sum, d) => sum + (d.status === "requested" ? d.amount : 0), 0);
          expect(payableAmount(next) - open).toBeGreaterThan(0);
          expect(ownCaptured(next)).toBeGreaterThanOrEqual(0);
          expect(ownCaptured(next)).toBeLessThanOrEqual(amounts.authorized);
          const wanted = next.charges.filter(({ status }) => status === "authorized" || status === "captured");
          expect(wanted.length).toBeLessThanOrEqual(1);
          if (next.status === "authorized") expect(wanted).toMatchObject([{ status: "authorized" }]);
          if (next.status === "voided")
            expect(next.charges.filter(({ status }) => status === "authorized")).toEqual([]);
          expect(new Set(next.charges.map((charge) => charge.chargeId)).size).toBe(next.charges.length);
          for (const charge of payment.charges) {
            const later = next.charges.find(({ chargeId }) => chargeId === charge.chargeId);
            expect(later).toMatchObject({ amount: charge.amount, currency: charge.currency });
          }
          if (entry.event === "refund") expectToBeCovered(next);
          expectToGoBack(next, change);
          expect(next.deadlines.filter((one) => !isAwaited(next, one))).toEqual([]);
          history.push(entry);
          if (next.status !== "captured" && history.every(({ event }) => event !== "corrected"))
            expect(ownCaptured(next)).toBe(0);

          const ids = change.effects.map((effect) => JSON.stringify(effect));
          expect(new Set(ids).size).toBe(ids.length);
          expect(() => toPaymentObject(next)).not.toThrow();
          payment = next;
        }
        expect(captures).toBeLessThanOrEqual(1);
        expect(
          history.reduce(
            (state, entry) => (entry.from === state ? entry.to : "failed to replay"),
            first.status as string,
          ),
        ).toBe(payment.status);
      }),
      { numRuns: 500 },
    );
  });
});
