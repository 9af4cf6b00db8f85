import type { Report } from "../../../shared/domain/payment/record/report.ts";
import { DAY } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** How a terminal says how long ago it approved a card. */
export interface Ages {
  /** Whether the ages that it says are true. Otherwise it says none, or impossible ones. */
  readonly areTrue: boolean;
  /** When each charge was approved, in milliseconds of the world. */
  readonly approvedAt: ReadonlyMap<string, number>;
  approved(chargeId: string): void;
  /** The age to say in a sending of the report. */
  of(report: Report): number | undefined;
  /** After this the terminal no longer knows how long ago anything was. */
  cutPower(): void;
}

export function drawAges({ agenda, fateOf }: World, terminalId: string): Ages {
  const fate = fateOf(`the ages that ${terminalId} says`);
  const manner = fate.pick("true", "true", "none", "impossible");
  const approvedAt = new Map<string, number>();
  let poweredAt = 0;
  return {
    areTrue: manner === "true",
    approvedAt,
    approved: (chargeId) => void approvedAt.set(chargeId, agenda.now()),
    of({ type, chargeId = "" }) {
      const at = approvedAt.get(chargeId);
      if (type !== "authorized" || manner === "none" || at === undefined || at < poweredAt) return undefined;
      const age = agenda.now() - at;
      return manner === "true" ? age : fate.pick(-1 - age, 31 * DAY + age, 1e15);
    },
    cutPower: () => void (poweredAt = agenda.now()),
  };
}
