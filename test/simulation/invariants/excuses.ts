import type { Alert } from "../../../shared/domain/alert.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./look.ts";

/** Why the books may be wrong, or a payment not end, without a fault of the platform's. */
type Cause = "named by an open alert" | "terminal silent for ever" | "terminal lost its memory";

/** Something that is wrong with a session. */
interface Trouble {
  readonly rule: string;
  readonly detail?: string;
  /** Whether an alert tells an operator of this very thing; none does where it is left out. */
  readonly isNamedBy?: (alert: Alert) => boolean;
}

/** The excuses of one world, counted: they are a result of a run, and no place to hide. */
export interface Excuses {
  readonly counts: Readonly<Record<string, number>>;
  /** The rule is broken, unless there is an excuse. */
  judge(session: Session, trouble: Trouble): void;
}

export function createExcuses(world: World, ledger: CardLedger, devices: readonly TerminalDevice[]): Excuses {
  const counts: Record<string, number> = {};
  function causeOf({ plan, alerts }: Session, { isNamedBy }: Trouble): Cause | undefined {
    if (isNamedBy && alerts.some((alert) => alert.status === "open" && isNamedBy(alert)))
      return "named by an open alert";
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
