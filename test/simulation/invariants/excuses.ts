import type { Alert } from "../../../shared/domain/alert.ts";
import { ERRING } from "../actors/operator.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** Why books may be wrong, or a payment not end, without a fault of the platform. */
type Cause =
  | "named by an open alert"
  | "erring operator"
  | "terminal silent for ever"
  | "terminal lost its memory"
  | "resolved while a terminal ran that never reported its end";

/** A problem of a session. */
interface Problem {
  readonly rule: string;
  readonly detail?: string;
  /** Whether an alert reports exactly this problem; left out where none can. */
  readonly isNamedBy?: (alert: Alert) => boolean;
}

/** The excuses of one world, counted, so that a rising number is visible. */
export interface Excuses {
  readonly counts: Readonly<Record<string, number>>;
  /** Reports a violation of the rule, unless there is an excuse. */
  judge(session: Session, problem: Problem): void;
}

/** An operator closed the alert without correcting anything. */
export const isClosedInError = ({ closings }: Alert): boolean => closings.at(-1)?.by === ERRING;
/** An operator resolved the payment against the facts. */
const isResolvedInError = ({ by, detail }: Session["history"][number]): boolean =>
  by === "operator" && detail?.startsWith(ERRING) === true;

export function createExcuses(world: World, ledger: CardLedger, devices: readonly TerminalDevice[]): Excuses {
  const counts: Record<string, number> = {};
  function causeOf(session: Session, { isNamedBy }: Problem): Cause | undefined {
    const { plan, alerts } = session;
    const naming = isNamedBy ? alerts.filter(isNamedBy) : [];
    if (naming.some(({ status }) => status === "open")) return "named by an open alert";
    if (naming.some(isClosedInError) || session.history.some(isResolvedInError)) return "erring operator";
    const device = devices.find((d) => d.terminal.terminalId === plan.request.terminalId);
    if (device?.diesForEver) return "terminal silent for ever";
    if (ledger.isForgotten(plan.sessionId)) return "terminal lost its memory";
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
