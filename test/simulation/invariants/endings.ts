import { effectId } from "../../../shared/domain/effects.ts";
import type { Alert, AlertKind } from "../../../shared/domain/alert.ts";
import { isGivenBack, isHeldBack, type Charge } from "../../../shared/domain/payment/record/charge.ts";
import { isFinal, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import { RETRY_VOID } from "../platform/platform.ts";
import { DAY, HOUR, msAt, SECOND } from "../world/time.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";
import { isClosedInError } from "../actors/operator.ts";
import type { Excuses } from "./excuses.ts";
import type { Session } from "./snapshot.ts";

/** A part of a payment that has not ended. */
interface Unended {
  readonly rule: string;
  readonly about: string | undefined;
  /** Whether an alert tells an operator that this part will not end by itself. */
  readonly isNamedBy: (alert: Alert) => boolean;
  /** Whether it has been in doubt for so long that a deadline alone is not enough. */
  readonly isOld: boolean;
}

/**
 * Whether the partner asked for a capture that was not made, and an operator has closed the alert about it. Capture and cancel stay possible,
 * and nothing is given back unasked.
 */
const isLeftToPartner = ({ agenda }: World, { payment, alerts }: Session): boolean =>
  payment?.status === "authorized" &&
  payment.captureAmount !== undefined &&
  msAt(payment.captureBefore ?? payment.createdAt) <= agenda.now() &&
  alerts.some(({ status }) => status === "closed");

/**
 * Payments, refunds and reversals end, or an alert names them. Nothing stays in a state that has neither a deadline nor an open alert. The
 * only excuse is an operator who closed the alert in error, because the platform needs no terminal for either.
 */
export function checkEndings(
  world: World,
  session: Session,
  { excuses, ending }: { readonly excuses: Excuses; readonly ending: Ending },
): void {
  const { plan, payment, alerts } = session;
  if (!payment) return;
  const isAwaited =
    session.commands.some(awaitsDeadline) || payment.deadlines.some(({ at }) => msAt(at) > world.agenda.now());
  const hasDeadline = ending !== "quiet" && isAwaited;
  for (const { rule, about, isNamedBy, isOld } of unended(world, payment)) {
    excuses.judge(session, { rule, detail: about ?? "", isNamedBy });
    const isAlerted = alerts.some((alert) => alert.status === "open" && (isNamedBy(alert) || alert.about === about));
    const isSilenced =
      alerts.some((alert) => isClosedInError(alert) && alert.about === about) || isLeftToPartner(world, session);
    if (!(hasDeadline && !isOld) && !isAlerted && !isSilenced)
      world.violate("neither a deadline nor an alert", `${plan.sessionId} (${payment.status}) ${about ?? ""}`);
  }
}

/** Two days until a message counts as unfetched for long, the time until the next deadline, and one more hour. */
const LONG = 2 * DAY + RETRY_VOID * SECOND + HOUR;
/** From this number of failed tries on, an operator is called. */
const CALLING_TRIES = 4;

/** Whether an operator must have been called for a reversal. */
function isLongReversed({ end }: World, { tries, reversal }: Charge): boolean {
  const failed = tries + (reversal?.failed ? 1 : 0);
  return (
    failed >= CALLING_TRIES || (reversal !== undefined && end - msAt(reversal.since) > LONG && tries < CALLING_TRIES)
  );
}

const awaitsDeadline = ({ state, effects, done }: Session["commands"][number]): boolean =>
  state === "ready" && effects.some((effect) => effect.kind === "deadline" && !done.includes(effectId(effect)));

function unended(world: World, payment: Payment): Unended[] {
  const { status, charges, refunds } = payment;
  const isOf = (about: string | undefined, ...kinds: AlertKind[]) => {
    return (alert: Alert) => alert.about === about && kinds.includes(alert.kind);
  };
  const goingBack = charges.filter((c) => c.status === "reversing" || c.status === "reversalFailed");
  const ofCharge = (about: string) => isOf(about, "reversalFailed");
  const ofDoubt = (about: string) => isOf(about, "amountDiffers", "contradictingReport");
  // An authorization that its partner asked to capture is not voided by the platform.
  const isCaptureAsked = status === "authorized" && payment.captureAmount !== undefined;
  const ofPayment = (alert: Alert) =>
    isOf(undefined, "outcomeUnknown")(alert) ||
    (isCaptureAsked && isOf(undefined, "captureWaits")(alert)) ||
    charges.some(
      (c) =>
        (!isGivenBack(c) && status === "voidRequested" && ofCharge(c.chargeId)(alert)) ||
        (c.status === "inDoubt" && status === "voidRequested" && ofDoubt(c.chargeId)(alert)) ||
        (isHeldBack(c) && isOf(c.chargeId, "contradictingReport")(alert)),
    );
  return [
    ...(isFinal(status)
      ? []
      : [{ rule: "a payment never ends", about: undefined, isNamedBy: ofPayment, isOld: false }]),
    ...refunds
      .filter((r) => r.status === "pending")
      .map(({ refundId: about }) => ({
        rule: "a refund never ends",
        about,
        isNamedBy: isOf(about, "outcomeUnknown", "amountDiffers", "contradictingReport"),
        isOld: false,
      })),
    ...charges
      .filter((c) => c.status === "inDoubt")
      .map(({ chargeId: about }) => ({
        rule: "a charge stays in doubt",
        about,
        isNamedBy: ofDoubt(about),
        isOld: false,
      })),
    ...charges
      .filter((c) => c.contradicted)
      .map(({ chargeId: about }) => ({
        rule: "a charge stays contradicted",
        about,
        isNamedBy: isOf(about, "contradictingReport"),
        isOld: true,
      })),
    ...goingBack.map((charge) => ({
      rule: "a reversal never ends",
      about: charge.chargeId,
      isNamedBy: ofCharge(charge.chargeId),
      isOld: isLongReversed(world, charge),
    })),
  ];
}
