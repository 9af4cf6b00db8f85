import type { InspectedPayment } from "../../../shared/use-cases/operator/inspect/inspect-payment.ts";
import { unfetched } from "../../../shared/use-cases/terminals/open-messages.ts";
import type { WaitView } from "./views/payments.ts";

type Inspected = Pick<InspectedPayment, "payment" | "inbox">;

/**
 * The captures and refunds that have no outcome yet, with the ends of their waits. A message whose outcome is in doubt waits no longer.
 * Pure.
 */
export const waitsOf = (inspected: Inspected): readonly WaitView[] => [
  ...ofCapture(inspected),
  ...ofRefunds(inspected),
];

function ofCapture({ payment, inbox }: Inspected): readonly WaitView[] {
  const { status, statusReason, captureWaits, captureAmount, amounts, awaiting } = payment;
  if (status !== "captureRequested" || statusReason === "outcomeUnknown" || !captureWaits) return [];
  const isFetched = awaiting === undefined || unfetched(payment, inbox, awaiting.sequence) === undefined;
  return [{ amount: captureAmount ?? amounts.authorized, until: Date.parse(captureWaits.until), isFetched }];
}

const ofRefunds = ({ payment, inbox }: Inspected): readonly WaitView[] =>
  payment.refunds.flatMap(({ idAsReceived: refundId, amount, status, statusReason, deliverBefore, sequence }) => {
    if (status !== "pending" || statusReason === "outcomeUnknown" || deliverBefore === undefined) return [];
    const isFetched = unfetched(payment, inbox, sequence) === undefined;
    return [{ refundId, amount, until: Date.parse(deliverBefore), isFetched }];
  });
