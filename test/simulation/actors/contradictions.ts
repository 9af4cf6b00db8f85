import { MINUTE } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { OutgoingReport } from "./terminal-memory.ts";

/** A terminal's reports that cannot be true. */
export interface Contradictions {
  /** The reports, by their identifiers. Each must call an operator. */
  readonly reports: ReadonlySet<string>;
  /** May send contradicting reports about this session, now or later. */
  about(sessionId: string): void;
}

/**
 * A few terminals violate the contract: they report refunds that were never requested. In every state of the payment such a report
 * contradicts the known facts and moves nothing, so that such a world keeps every other promise.
 */
export function createContradictions(world: World, send: (report: OutgoingReport) => void): Contradictions {
  const { agenda, quirks } = world;
  const isContrary = quirks.chance(0.1);
  const reports = new Set<string>();
  return {
    reports,
    about(sessionId) {
      for (let more = isContrary ? quirks.between(0, 2) : 0; more > 0; more--) {
        const reportId = world.newId();
        reports.add(reportId);
        const report = {
          reportId,
          type: "refunded",
          refundId: quirks.pick("stray", "other"),
          amount: 1,
          currency: "SEK",
        } as const;
        agenda.after(quirks.between(0, quirks.pick(0, 1, 5) * MINUTE), () => send({ sessionId, report }));
      }
    },
  };
}
