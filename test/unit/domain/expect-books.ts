import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import type { Change } from "../../../shared/domain/payment/life/advance.ts";
import { ownCaptured } from "../../../shared/domain/payment/record/kept-money.ts";
import type { Payment, Refund } from "../../../shared/domain/payment/record/payment.ts";

/** A refund without the note that an operator recorded its money. The terminal's report of the same money removes that note. */
const uncorrected = ({ correction: _, ...rest }: Refund) => rest;
/** The parts of a refund that never change after it is requested. */
const lasting = ({ idAsReceived, names, amount, chargeId, reason, commandId, sequence, createdAt }: Refund) => ({
  idAsReceived,
  names,
  amount,
  chargeId,
  reason,
  commandId,
  sequence,
  createdAt,
});

/** A refund keeps its content and is settled once, except for corrections. A step makes or changes at most one. No two share a name. */
export function expectRefundsToLast(before: readonly Refund[], after: readonly Refund[], event: string) {
  expect(after.slice(0, before.length).map(lasting)).toEqual(before.map(lasting));
  const touched = before.filter((refund, i) => {
    const now = after[i];
    return now !== refund && !(now && isDeepStrictEqual(uncorrected(now), uncorrected(refund)));
  });
  expect(touched.length + after.length - before.length).toBeLessThanOrEqual(1);
  for (const { status } of touched) if (event !== "corrected") expect(status).toBe("pending");
  const names = after.flatMap(({ refundId, names }) => [...new Set([refundId, ...names])]);
  expect(new Set(names).size).toBe(names.length);
}

/** When a refund is accepted, the refunds of each charge are at most its captured amount. */
export function expectToBeCovered(payment: Payment) {
  const { chargeId } = payment.refunds.at(-1) ?? {};
  const of = payment.refunds.filter((r) => r.chargeId === chargeId && r.status !== "failed");
  const charge = payment.charges.find((c) => c.chargeId === chargeId);
  const captured = charge?.status === "kept" ? charge.amount : ownCaptured(payment);
  expect(of.reduce((sum, { made, amount }) => sum + (made ?? amount), 0)).toBeLessThanOrEqual(captured);
}

/**
 * Every charge whose void is requested is being reversed or is the wanted one, and there is one at a time. Every other charge that waits
 * for its reversal has a deadline that starts it.
 */
export function expectToGoBack({ charges, deadlines }: Payment, { effects }: Change) {
  const requestedVoids = effects.flatMap((e) =>
    e.kind === "message" && e.message.type === "void" ? [e.message.chargeId] : [],
  );
  for (const id of requestedVoids)
    expect(["reversing", "authorized", undefined]).toContain(charges.find((c) => c.chargeId === id)?.status);
  expect(effects.filter(({ kind }) => kind === "message").length).toBeLessThanOrEqual(1);
  const waits = charges.some((c) => c.status === "reversing" && c.reversal === undefined);
  expect(deadlines.some(({ name }) => name === "nextReversal")).toBe(waits);
}
