import type { Change } from "../life/advance.ts";
import type { Evidence, ReceiptKind } from "../record/card.ts";
import { isGivenBack, withCharge, type Charge } from "../record/charge.ts";
import type { Payment, Refund } from "../record/payment.ts";
import type { Report } from "../record/report.ts";

/**
 * The change with what its report says of the movement: the card and the references of a capture, a refund or a void, and why a void failed.
 * The approval's details stay as they are, because they alone identify a charge. The first report of a movement counts. A report that moved
 * nothing leaves none. Its receipt is kept in a row of its own.
 */
export function withEvidence(before: Payment, change: Change, report: Report): Change {
  return withReceipt(before, withDetails(before, change, report), report);
}

/** Every report's receipt is kept, also if the report moved nothing. */
function withReceipt(before: Payment, change: Change, { type, chargeId, receipt }: Report): Change {
  if (!receipt) return change;
  const isKnown = before.charges.some((charge) => charge.chargeId === chargeId);
  const printed = type === "captured" && !isKnown ? "sale" : (receiptKindOf[type] ?? "decline");
  return { ...change, entry: { ...change.entry, printed }, receipt };
}

const receiptKindOf: Partial<Record<Report["type"], ReceiptKind>> = {
  authorized: "sale",
  captured: "capture",
  refunded: "refund",
  voided: "reversal",
};

function withDetails(before: Payment, change: Change, report: Report): Change {
  const { payment } = change;
  if (report.type === "refunded") {
    const refunds = payment.refunds.map((refund, i) => ofRefund(before.refunds[i], refund, report));
    return { ...change, payment: { ...payment, refunds } };
  }
  const name = report.chargeId;
  const moved = payment.charges.find(({ chargeId }) => chargeId === (name ?? ownName(before)));
  const was = before.charges.find(({ chargeId }) => chargeId === moved?.chargeId);
  if (!moved || !was || moved === was) return change;
  return { ...change, payment: { ...payment, charges: withCharge(payment, ofCharge(moved, report)) } };
}

/** If a report names no charge, it is about the payment's only one that is not given back. */
const ownName = ({ charges }: Payment): string | undefined => charges.find((one) => !isGivenBack(one))?.chargeId;

const evidenceOf = ({ card, acquirer }: Report): Evidence | undefined =>
  card || acquirer ? { card, acquirer } : undefined;

function ofRefund(before: Refund | undefined, refund: Refund, { card, acquirer }: Report): Refund {
  const isMade = refund.status === "succeeded" && before?.commandId === refund.commandId && before !== refund;
  return isMade && !refund.card && !refund.acquirer ? { ...refund, card, acquirer } : refund;
}

function ofCharge(charge: Charge, report: Report): Charge {
  const { declineCode, hostCode } = report;
  const isCaptured = charge.status === "captured" || charge.captured !== undefined;
  if (report.type === "captured" && isCaptured && !charge.fromCapture)
    return { ...charge, captureEvidence: charge.captureEvidence ?? evidenceOf(report) };
  if (report.type === "voidFailed") return { ...charge, declineCode, hostCode };
  if (report.type !== "voided" || !isGivenBack(charge)) return charge;
  const reversalEvidence = charge.reversalEvidence ?? evidenceOf(report);
  return { ...charge, reversalEvidence, declineCode: undefined, hostCode: undefined };
}
