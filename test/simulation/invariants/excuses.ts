import type { Charge } from "../../../shared/domain/payment/payment.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./look.ts";

/** Why the books may be wrong, or a payment not end, without a fault of the platform's. */
type Cause = "alerted" | "terminal silent for ever" | "terminal lost its memory";

/** Something that is wrong with a session. */
interface Trouble {
  readonly rule: string;
  readonly detail?: string;
  /** An operator was called for this very thing. */
  readonly isAlerted?: boolean;
}

/** The excuses of one world, counted: they are a result of a run, and no place to hide. */
export interface Excuses {
  readonly counts: Readonly<Record<string, number>>;
  /** The rule is broken, unless there is an excuse. */
  judge(session: Session, trouble: Trouble): void;
}

export function createExcuses(world: World, ledger: CardLedger, devices: readonly TerminalDevice[]): Excuses {
  const counts: Record<string, number> = {};
  function causeOf({ plan }: Session, { isAlerted }: Trouble): Cause | undefined {
    if (isAlerted) return "alerted";
    if (devices.find((d) => d.terminal.terminalId === plan.request.terminalId)?.diesForEver)
      return "terminal silent for ever";
    return ledger.isForgotten(plan.sessionId) ? "terminal lost its memory" : undefined;
  }
  return {
    counts,
    judge(session, trouble) {
      const { plan, payment } = session;
      const at = `${plan.sessionId} (${payment?.status ?? "absent"}) ${trouble.detail ?? ""}`;
      const cause = causeOf(session, trouble);
      if (!cause) return world.violate(trouble.rule, at);
      world.trace?.("excused", `${cause}: ${trouble.rule}: ${at}`);
      counts[cause] = (counts[cause] ?? 0) + 1;
    },
  };
}

/**
 * Whether an operator was called for what is wrong with a charge. The alert of an approval excuses a charge that the books do not know,
 * and no other: what the books know is reversed, alert or not.
 */
export function isAlertedOf(
  { history }: Session,
  chargeId: string,
  booked: Charge | undefined,
  devices: readonly TerminalDevice[],
): boolean {
  return history.some(({ alerts, event, reportId = "" }) => {
    if (!alerts) return false;
    if (event === "reversalFailed") return booked?.status === "reversalFailed";
    const isOfCharge = devices.some(({ told }) => told.get(reportId)?.chargeId === chargeId);
    return isOfCharge && (event === "authorized") === (booked === undefined);
  });
}
