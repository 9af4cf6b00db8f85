import type { ReportType } from "../../../shared/domain/payment/events.ts";
import { FAULTS_END } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { CardLedger } from "./card-ledger.ts";
import type { Flaws } from "./flaws.ts";

/** The identifiers of a terminal's reports. */
export interface ReportIds {
  /** The identifier of the next report about the session: a new one, or by a flaw one that a report of another type about it has. */
  next(sessionId: string, type: ReportType): string;
}

/** The probability of a terminal that uses identifiers again, in a world with flaws, and of its doing so in a report. */
const [USES_AGAIN, AGAIN] = [0.15, 0.1];

/** Draws the identifiers, by chance of their own. In restored worlds each is new: what a restore lost may be under them. */
export function drawReportIds(
  world: World,
  { isPerfect }: Flaws,
  ledger: CardLedger,
  { terminalId, isRestored }: { readonly terminalId: string; readonly isRestored: boolean },
): ReportIds {
  const fate = world.fateOf(`identifiers of ${terminalId}`);
  const isFlawed = !isPerfect && !isRestored && fate.chance(USES_AGAIN);
  const given = new Map<string, readonly { readonly id: string; readonly type: ReportType }[]>();
  return {
    next(sessionId, type) {
      const before = given.get(sessionId) ?? [];
      const [first, ...others] = before.filter((one) => one.type !== type);
      if (isFlawed && first !== undefined && world.agenda.now() < FAULTS_END && fate.chance(AGAIN)) {
        world.faultPlan.meet("terminal uses a report's identifier again");
        ledger.misreport(sessionId);
        return fate.pick(first, ...others).id;
      }
      const id = world.newId();
      given.set(sessionId, [...before, { id, type }]);
      return id;
    },
  };
}
