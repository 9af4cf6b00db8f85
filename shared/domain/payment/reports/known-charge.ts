import type { PaymentAlertKind, RaisedAlert } from "../../alert.ts";
import type { Charge } from "../record/charge.ts";
import type { Payment } from "../record/payment.ts";
import { MAX_CHARGES } from "../record/record-limits.ts";

/** Whether the charge is known, looks like a known one, or exceeds the most charges of a payment. Undefined for a new charge. */
export function recognise({ charges }: Payment, charge: Charge): "known" | PaymentAlertKind | undefined {
  const known = charges.find(({ chargeId }) => chargeId === charge.chargeId);
  if (known) return isSameCharge(known, charge) ? "known" : "chargeChanged";
  if (charges.some((other) => isSameAuthorisation(other, charge))) return "chargeChanged";
  return charges.length >= MAX_CHARGES ? "tooManyCharges" : undefined;
}

/** Whether an approval with a known identifier is of the known charge. Two approvals are compared by the members that both have. */
function isSameCharge(known: Charge, charge: Charge): boolean {
  if (known.amount !== charge.amount || known.currency !== charge.currency) return false;
  if (known.fromCapture || charge.fromCapture) return true;
  const [one, other] = [identityOf(known), identityOf(charge)];
  return one.every((member, i) => member === undefined || other[i] === undefined || member === other[i]);
}

const identityOf = ({ acquirer, card }: Charge) => [acquirer?.authorisationCode, acquirer?.rrn, card?.last4];

export const doubts = (recognised: "known" | PaymentAlertKind, { chargeId: about }: Charge): RaisedAlert[] =>
  recognised === "known" ? [] : [{ alert: recognised, about }];

const isSameAuthorisation = ({ acquirer: one }: Charge, { acquirer: other }: Charge): boolean =>
  one?.authorisationCode !== undefined &&
  one.rrn !== undefined &&
  one.authorisationCode === other?.authorisationCode &&
  one.rrn === other.rrn;
