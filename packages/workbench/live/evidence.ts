import { declineTexts } from "../../../shared/contracts/objects/decline-codes.ts";
import type { Evidence } from "../../../shared/domain/payment/record/card.ts";
import type { Charge } from "../../../shared/domain/payment/record/charge.ts";
import type { Decline } from "../../../shared/domain/payment/record/decline-code.ts";
import type { Refund } from "../../../shared/domain/payment/record/payment.ts";
import { cardText } from "../../../infra/operator/common/money-names.ts";

/** The lines about a charge: its approval, its capture, its return, and why its latest return failed. */
export const chargeLines = (charge: Charge): readonly string[] =>
  [
    evidenceText(charge),
    evidenceText(charge.captureEvidence, "capture: "),
    evidenceText(charge.reversalEvidence, "return: "),
    declineText(charge),
  ].filter(isTold);

/** The lines about a refund's card and references, or why it failed. */
export const refundLines = (refund: Refund): readonly string[] =>
  [evidenceText(refund), declineText(refund)].filter(isTold);

/** The sentence for the till, with the acquirer's own code. Undefined if the terminal reported none. */
export function declineText({ declineCode, hostCode }: Decline): string | undefined {
  if (declineCode === undefined) return undefined;
  return `For the till: ${declineTexts[declineCode].till}${hostCode === undefined ? "" : ` (${hostCode})`}`;
}

/** `visa ···· 4242, A1B2C3, RRN 632610304512`. Undefined if the terminal reported none of them. */
function evidenceText({ card, acquirer }: Evidence = {}, of = ""): string | undefined {
  const { authorisationCode, rrn } = acquirer ?? {};
  const parts = [cardText({ card }), authorisationCode, rrn && `RRN ${rrn}`].filter(Boolean);
  return parts.length === 0 ? undefined : `${of}${parts.join(", ")}`;
}

const isTold = (line: string | undefined): line is string => line !== undefined;
