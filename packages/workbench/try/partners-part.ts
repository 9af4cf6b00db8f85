import { randomUUID } from "node:crypto";
import type { PaymentObject } from "../../../shared/contracts/objects/payment.ts";
import type { PartnerPart } from "../../terminal/simulated/scripts.ts";
import type { DemoPartnerApi } from "./partner.ts";

/** The partner's requests that a script can need. */
export type PartnerRequests = Pick<DemoPartnerApi, "cancel" | "capture" | "refund">;

/**
 * Plays the partner's part in a script: call it with each status of the payment. It sends the part's request once, at the part's status. A
 * request that was refused is sent again with the next status.
 */
export function partnersPart(partner: PartnerRequests, payment: PaymentObject, part: PartnerPart | undefined) {
  const refundID = randomUUID();
  const send = {
    cancel: () => partner.cancel(payment),
    capture: () => partner.capture(payment),
    refund: () => partner.refund(payment, refundID),
  };
  let isDone = part === undefined;
  return async (status: PaymentObject["status"]): Promise<void> => {
    if (isDone || status !== part?.at) return;
    await send[part.does]();
    isDone = true;
  };
}
