import { MINUTE } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { OutgoingReport } from "./terminal-memory.ts";

/** A terminal's impossible reports. */
export interface Contradictions {
  /** The identifiers of the reports. Each report must raise an alert. */
  readonly reports: ReadonlySet<string>;
  /** May send contradicting reports about this session, now or later. */
  about(sessionId: string): void;
}

/**
 * A few terminals violate the contract and report refunds that were never requested. In every state of the payment such a report
 * contradicts the known facts and moves nothing. So the world must still keep every other promise.
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
