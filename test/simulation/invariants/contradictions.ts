import type { Charge } from "../../../shared/domain/payment/record/charge.ts";
import type { Refund } from "../../../shared/domain/payment/record/payment.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import { isMoneyReport } from "../actors/done-already.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * The record shows the latest report of money about each charge and refund, whatever was reported before: it counts, or the charge waits
 * for an operator. An operator's later decision stands.
 */
export function checkContradictions(world: World, session: Session): void {
  const { payment, history } = session;
  count(world, history);
  if (!payment || world.lostTime.behind.has(payment.sessionId)) return;
  for (const charge of payment.charges) {
    const latest = latestOf(history, ({ chargeId }) => chargeId === charge.chargeId);
    if (charge.decided && (charge.contradicted || charge.status === "inDoubt"))
      world.violate("a report overrules an operator's decision", `${payment.sessionId} ${charge.chargeId}`);
    if (latest && !charge.decided && !isShown(charge, latest))
      world.violate("a report of money is not in the record", `${payment.sessionId} ${latest.type} ${charge.status}`);
  }
  for (const refund of payment.refunds) {
    const latest = latestOf(history, ({ refundId }) => refundId?.toLowerCase() === refund.refundId);
    if (latest?.type === "refunded" && !isMade(refund, latest, payment.currency))
      world.violate("a refund that was made is not in the record", `${payment.sessionId} ${refund.refundId}`);
  }
  checkWaiting(world, payment.sessionId, history);
}

type Said = NonNullable<RecordedEntry["said"]>;

/** The latest report of money, unless an operator has decided since. */
function latestOf(history: readonly RecordedEntry[], isAbout: (said: Said) => boolean): Said | undefined {
  const at = history.findLastIndex(({ by, said }) => by === "terminal" && said && isMoneyReport(said) && isAbout(said));
  return history.slice(at + 1).some(({ by }) => by === "operator") ? undefined : history[at]?.said;
}

function isShown({ status, captured, contradicted, amount, currency }: Charge, latest: Said): boolean {
  switch (latest.type) {
    case "captured":
      if (latest.currency !== currency || (latest.amount ?? 0) > amount) return true; // not believed
      return status === "captured" || status === "kept" || captured !== undefined || contradicted === true;
    case "voided":
      return status === "voided" || status === "reversed" || contradicted === true;
    default:
      return true;
  }
}

const isMade = ({ status, statusReason, amount }: Refund, latest: Said, currency: string): boolean =>
  status === "succeeded" ||
  statusReason === "settledByOperator" ||
  latest.currency !== currency ||
  (latest.amount ?? 0) > amount;

/** What waits for an operator, or for the partner's own capture, does not move meanwhile. */
function checkWaiting(world: World, sessionId: string, history: readonly RecordedEntry[]): void {
  let [isMarked, isCaptured] = [false, false];
  const known = new Set<string | undefined>();
  let isDecided = false;
  for (const { by, event, from, to, said, alerts = [] } of history) {
    if (by === "operator") isMarked = isCaptured = false;
    if (by === "operator") isDecided = true;
    if (event === "captured" && alerts.length === 0) isDecided = false;
    if (said?.type === "authorized") known.add(said.chargeId);
    if (isMarked && alerts.some(({ kind }) => kind === "unwantedApproval"))
      world.violate("another charge was reversed while one is contradicted", sessionId);
    if ((isMarked || isCaptured) && event === "cancel" && from === "authorized")
      world.violate("a cancel was accepted although the terminal reported a capture or a void", sessionId);
    const isContradicting = alerts.some(({ kind }) => kind === "contradictingReport");
    if (event === "voided" && isContradicting && known.has(said?.chargeId) && !isDecided) isMarked = true;
    if (event === "captured" && isContradicting && to === "authorized") isCaptured = true;
  }
}

/** Counts the contradictions about money, by the terminal's report and the payment's states. */
function count({ faultPlan }: World, history: readonly RecordedEntry[]): void {
  for (const { by, said, from, to, alerts = [] } of history)
    if (by === "terminal" && said && isMoneyReport(said) && alerts.some(({ kind }) => kind === "contradictingReport"))
      faultPlan.meet(`contradiction: ${said.type}, ${from} to ${to}`);
}
