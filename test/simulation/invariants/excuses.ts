import type { Alert } from "../../../shared/domain/alert.ts";
import type { Refund } from "../../../shared/domain/payment/record/payment.ts";
import { ERRING, isClosedInError } from "../actors/operator.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { World } from "../world/world.ts";
import type { HiddenByTerminals } from "./hidden.ts";
import type { Session } from "./snapshot.ts";

/** Why books may be wrong, or a payment may not end, without a fault of the platform. */
type Cause =
  | "named by an open alert"
  | "named by a day that differs"
  | "hidden by a terminal whose totals do not show it"
  | "erring operator"
  | "terminal silent for ever"
  | "terminal lost its memory"
  | "reported under a used identifier"
  | "moved in the time that a restore lost"
  | "the authorized amount is lost"
  | "an operator's decision is lost"
  | "resolved while a terminal ran that never reported its end";

/** A problem of a session. */
interface Problem {
  readonly rule: string;
  readonly detail?: string;
  /** Whether an alert reports exactly this problem; left out if no alert can. */
  readonly isNamedBy?: (alert: Alert) => boolean;
  /** The charge or the refund concerned, if the problem concerns one. */
  readonly about?: string;
}

interface Known {
  readonly ledger: CardLedger;
  readonly devices: readonly TerminalDevice[];
  /** The movements that the days of terminals reveal. */
  readonly hidden: HiddenByTerminals;
}

/** The excuses of one world, counted, so that a rising number is visible. */
export interface Excuses {
  readonly counts: Readonly<Record<string, number>>;
  /** Reports a violation of the rule, unless there is an excuse. */
  judge(session: Session, problem: Problem): void;
}

const isUnfetched = (reason: Refund["statusReason"]): boolean =>
  reason === "notDelivered" || reason === "cancelledByPartner";

/** An operator resolved the payment against the facts. */
const isResolvedInError = ({ operator }: Session["history"][number]): boolean => operator?.by === ERRING;

/**
 * Why a restored payment may differ from its cards. The payment had ended in the books, or was not in them, and was therefore not queried.
 * Or the difference is a charge or a refund that the books lack, in addition to the payment's own charge. The answer to a query does not
 * mention it. If the charge of a capture is lost, the terminal reports the amount it took, and an alert says that this may be a part. The
 * payment's own charge, and every refund in the books that had not failed, have no other excuse.
 */
function lostCause(
  { lostTime }: World,
  ledger: CardLedger,
  { plan: { sessionId }, payment, alerts }: Session,
  about: string | undefined,
): Cause | undefined {
  if (lostTime.decided.has(sessionId)) return "an operator's decision is lost";
  if (!lostTime.behind.has(sessionId)) return undefined;
  // Its terminal may charge a session that the books lack even later. Its report is stored for an operator.
  if (lostTime.sessions.has(sessionId)) return "moved in the time that a restore lost";
  const isUnqueried = lostTime.ended.has(sessionId);
  if (about === undefined) return isUnqueried ? "moved in the time that a restore lost" : undefined;
  const own = ledger.chargesOf(sessionId).find(({ isStray }) => !isStray);
  const charge = payment?.charges.find(({ chargeId }) => chargeId === about);
  const isSaid = alerts.some((alert) => alert.kind === "amountDiffers" && alert.about === about);
  // If a part equals the amount that a lost discount would leave, it is taken as an applied discount.
  const isDiscounted = payment !== undefined && payment.amounts.requested - payment.amounts.discounted === own?.taken;
  if (own?.chargeId === about && charge?.amount === own.taken && (isSaid || isDiscounted))
    return "the authorized amount is lost";
  // A refund that was requested again, and never fetched, says nothing about the lost one of its name.
  const isBooked =
    charge !== undefined ||
    payment?.refunds.some(({ refundId, statusReason }) => refundId === about && !isUnfetched(statusReason)) === true;
  const isBeside = own?.chargeId !== about && !isBooked;
  const move = `${sessionId} ${about}`;
  const isUnknown = isUnqueried || isBeside || lostTime.failedRefunds.has(move);
  return lostTime.moves.has(move) && isUnknown ? "moved in the time that a restore lost" : undefined;
}

export function createExcuses(world: World, { ledger, devices, hidden }: Known): Excuses {
  const counts: Record<string, number> = {};
  function causeOf(session: Session, { isNamedBy, about }: Problem): Cause | undefined {
    const { plan, alerts } = session;
    const naming = isNamedBy ? alerts.filter(isNamedBy) : [];
    if (naming.some(({ status }) => status === "open")) return "named by an open alert";
    if (naming.some(isClosedInError) || session.history.some(isResolvedInError)) return "erring operator";
    const told = about === undefined ? undefined : hidden.get(`${plan.sessionId} ${about}`);
    if (told) return told;
    const lost = lostCause(world, ledger, session, about);
    if (lost) return lost;
    const device = devices.find((d) => d.terminal.terminalId === plan.request.terminalId);
    if (device?.diesForEver) return "terminal silent for ever";
    if (ledger.isForgotten(plan.sessionId)) return "terminal lost its memory";
    if (ledger.isUnheard(plan.sessionId)) return "reported under a used identifier";
    const isStuck = device?.memory.runs.get(plan.sessionId)?.isStuck === true;
    if (isStuck && session.history.some(({ by }) => by === "operator"))
      return "resolved while a terminal ran that never reported its end";
    return undefined;
  }
  return {
    counts,
    judge(session, problem) {
      const { plan, payment } = session;
      const at = `${plan.sessionId} (${payment?.status ?? "absent"}) ${problem.detail ?? ""}`;
      const cause = causeOf(session, problem);
      if (!cause) return world.violate(problem.rule, at);
      world.trace?.("excused", `${cause}: ${problem.rule}: ${at}`);
      counts[cause] = (counts[cause] ?? 0) + 1;
    },
  };
}
