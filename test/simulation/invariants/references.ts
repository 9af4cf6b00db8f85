import type { Booking } from "../../../shared/domain/booking.ts";
import type { Charge } from "../../../shared/domain/payment/record/charge.ts";
import { APPROVAL_RRN, referenceOf } from "../world/references.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * Each movement has the reference under which its acquirer knows it, in the record and in the books. The reference of a later movement never
 * replaces that of the approval, which identifies the charge.
 */
export function checkReferences(world: World, { plan, payment, history }: Session): void {
  const { sessionId } = plan;
  const expect = (what: string, rrn: string | undefined, ...may: readonly (string | undefined)[]) => {
    if (rrn !== undefined && !may.includes(rrn))
      world.violate("a movement has another's reference", `${sessionId} ${what}: ${rrn}`);
  };
  for (const charge of payment?.charges ?? []) {
    const { chargeId, acquirer, captureEvidence, reversalEvidence } = charge;
    expect(`charge ${chargeId}`, acquirer?.rrn, ownReference(charge));
    expect(`capture of ${chargeId}`, captureEvidence?.acquirer?.rrn, referenceOf("captured", chargeId));
    expect(`reversal of ${chargeId}`, reversalEvidence?.acquirer?.rrn, referenceOf("voided", chargeId));
  }
  for (const { refundId, acquirer } of payment?.refunds ?? [])
    expect(`refund ${refundId}`, acquirer?.rrn, referenceOf("refunded", refundId));
  for (const booking of history.flatMap(({ bookings = [] }) => bookings)) {
    const { kind, evidence, chargeId = "", refundId = "" } = booking;
    expect(`booking of ${refundId || chargeId}`, evidence?.rrn, ...referencesOf(booking));
    if (evidence?.rrn !== undefined) world.faultPlan.meet(`line with a reference: ${kind}`);
  }
}

/** The reference of a charge's own report: of its approval, or of its capture if that was the first news. */
const ownReference = ({ chargeId, fromCapture }: Charge): string | undefined =>
  fromCapture ? referenceOf("captured", chargeId) : APPROVAL_RRN;

function referencesOf({ kind, chargeId = "", refundId = "" }: Booking): readonly (string | undefined)[] {
  switch (kind) {
    case "capture":
      return [referenceOf("captured", chargeId), APPROVAL_RRN]; // an automatic payment is captured by its approval
    case "refund":
      return [referenceOf("refunded", refundId)];
    case "reversal":
      return [referenceOf("voided", chargeId)];
    case "correction":
      return [];
  }
}
