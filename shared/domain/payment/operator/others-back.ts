import type { Effect } from "../../effects.ts";
import type { Refusal } from "../../refusal.ts";
import { ok, type Result } from "../../result.ts";
import { refundedAs, refundsOf } from "../record/kept-money.ts";
import { isOwnVoid, withCharge, type Charge } from "../record/charge.ts";
import type { Payment } from "../record/payment.ts";
import { reverseCharges } from "../reports/charges.ts";
import { decidedCharge, impossible, type OperatorStep } from "./resolution.ts";

export const isCalledBack = ({ status }: Charge): boolean => status === "reversing";

/**
 * Starts the reversal of the charges that are not being reversed yet. A contradicted charge is reversed at once, because the terminal has
 * reported its void. Refused if a part of a charge was refunded, because that charge cannot be given back as a whole.
 */
export function othersBack(
  payment: Payment,
  charges: readonly Charge[],
  step: OperatorStep,
): Result<ReturnType<typeof reverseCharges>, Refusal<"invalid_state">> {
  const refunded = charges.find((charge) => refundsOf(payment, refundedAs(payment, charge)).length > 0);
  if (refunded)
    return impossible(
      payment,
      `The charge ${refunded.chargeId} was refunded. Record the outcome of its refunds, or of the charge, first.`,
    );
  const contradicted = charges.filter((charge) => charge.contradicted);
  const closed = contradicted.map((charge) => decidedCharge(charge, "reversed", step));
  const others = charges.filter((charge) => !isCalledBack(charge) && !charge.contradicted);
  const back = reverseCharges({ ...payment, charges: closed.reduce(replaced, payment.charges) }, others, step);
  return ok({ ...back, effects: [...back.effects, ...toldBack(payment, contradicted, charges)] });
}

const replaced = (charges: readonly Charge[], charge: Charge): readonly Charge[] => withCharge({ charges }, charge);

/** The events of charges that no reversal begins for: the terminal reported a void, or the void goes on without the payment. */
const toldBack = (
  payment: Payment,
  contradicted: readonly Charge[],
  charges: readonly Charge[],
): readonly Effect<"payment">[] => [
  ...contradicted.map(({ chargeId: about }) => ({ kind: "webhook", type: "reversal.succeeded", about }) as const),
  ...charges
    .filter((charge) => isCalledBack(charge) && isOwnVoid(payment, charge))
    .map(({ chargeId: about }) => ({ kind: "webhook", type: "reversal.requested", about }) as const),
];
