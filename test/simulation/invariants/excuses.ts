import type { Alert } from "../../../shared/domain/alert.ts";
import { ERRING } from "../actors/operator.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** Why the books may be wrong, or a payment not end, without a fault of the platform's. */
type Cause =
  | "named by an open alert"
  | "erring operator"
  | "terminal silent for ever"
  | "terminal lost its memory"
  | "resolved while a terminal ran that never told";

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

/** An operator closed the alert, and mended nothing. */
export const isClosedInError = ({ closings }: Alert): boolean => closings.at(-1)?.by === ERRING;
/** An operator said of the payment what is not so. */
const isResolvedInError = ({ by, detail }: Session["history"][number]): boolean =>
  by === "operator" && detail?.startsWith(ERRING) === true;

export function createExcuses(world: World, ledger: CardLedger, devices: readonly TerminalDevice[]): Excuses {
  const counts: Record<string, number> = {};
  function causeOf(session: Session, { isNamedBy }: Trouble): Cause | undefined {
    const { plan, alerts } = session;
    const naming = isNamedBy ? alerts.filter(isNamedBy) : [];
    if (naming.some(({ status }) => status === "open")) return "named by an open alert";
    if (naming.some(isClosedInError) || session.history.some(isResolvedInError)) return "erring operator";
    const device = devices.find((d) => d.terminal.terminalId === plan.request.terminalId);
    if (device?.diesForEver) return "terminal silent for ever";
    if (ledger.isForgotten(plan.sessionId)) return "terminal lost its memory";
    const isStuck = device?.memory.runs.get(plan.sessionId)?.isStuck === true;
    if (isStuck && session.history.some(({ by }) => by === "operator"))
      return "resolved while a terminal ran that never told";
    return undefined;
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
