import type { ReportType } from "../../../shared/domain/payment/record/events.ts";
import { FAULTS_END } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { CardLedger } from "./card-ledger.ts";
import type { Flaws } from "./flaws.ts";
import type { Arrival, Outcome } from "./terminal-memory.ts";

/** How a terminal names its reports, and the messages that they answer. */
export interface ReportNames {
  /** The identifier of the next report about the session. It is new, or by a flaw the identifier of a report of another type. */
  nextId(sessionId: string, type: ReportType): string;
  /**
   * The name of another message of the session, used by a flaw; otherwise undefined. A report of a refund names another refund's message in
   * addition to its refund. Any other report names a message of another kind.
   */
  otherMessage(arrival: Arrival, outcome: Outcome): string | undefined;
}

/** The probability that a terminal has such a flaw in a world with flaws, and that it then occurs in a report. */
const [IS_FLAWED, HAPPENS] = [0.15, 0.1];

/**
 * Draws the names from a separate random source. In restored worlds all names are right, because a lost report may have used any of them.
 */
export function drawReportNames(
  world: World,
  { isPerfect }: Flaws,
  ledger: CardLedger,
  { terminalId, isRestored }: { readonly terminalId: string; readonly isRestored: boolean },
): ReportNames {
  const { agenda, faultPlan } = world;
  const fate = world.fateOf(`identifiers of ${terminalId}`);
  const usesAgain = !isPerfect && !isRestored && fate.chance(IS_FLAWED);
  const messages = world.fateOf(`messages that ${terminalId} names`);
  const misnames = !isPerfect && !isRestored && messages.chance(IS_FLAWED);
  const received = new Map<string, Arrival[]>();
  const given = new Map<string, readonly { readonly id: string; readonly type: ReportType }[]>();
  return {
    otherMessage(arrival, { type, facts }) {
      const others = received.get(arrival.sessionId) ?? [];
      received.set(arrival.sessionId, [...others, arrival]);
      if (!misnames || type === "acknowledged" || agenda.now() >= FAULTS_END) return undefined;
      const isRefund = facts.refundId !== undefined;
      const fitting = others.filter(({ messageId, message }) =>
        isRefund ? message.type === "refund" && messageId !== arrival.messageId : message.type !== arrival.message.type,
      );
      const [first, ...more] = fitting;
      if (!first || !messages.chance(HAPPENS)) return undefined;
      faultPlan.meet("terminal names another message");
      return messages.pick(first, ...more).messageId;
    },
    nextId(sessionId, type) {
      const before = given.get(sessionId) ?? [];
      const [first, ...others] = before.filter((one) => one.type !== type);
      if (usesAgain && first !== undefined && agenda.now() < FAULTS_END && fate.chance(HAPPENS)) {
        faultPlan.meet("terminal uses a report's identifier again");
        ledger.misreport(sessionId);
        return fate.pick(first, ...others).id;
      }
      const id = world.newId();
      given.set(sessionId, [...before, { id, type }]);
      return id;
    },
  };
}
