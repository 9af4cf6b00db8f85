import { MINUTE } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { OutgoingReport } from "./terminal-memory.ts";

/** What a terminal says that cannot be true. */
export interface Contradictions {
  /** The reports, by their identifiers: each must call an operator. */
  readonly reports: ReadonlySet<string>;
  /** Contradicts itself about this session, soon or later, or not at all. */
  about(sessionId: string): void;
}

/**
 * A few terminals do not keep the bargain: they report refunds that were never requested. Whatever the payment's state, that
 * contradicts what is known and moves nothing, so that such a world keeps every other promise.
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
