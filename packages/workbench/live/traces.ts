import { isIdentifier } from "../../../shared/domain/identifier.ts";
import type { PaymentKey } from "../../../shared/ports/subjects.ts";
import { boundedLists } from "./bounded-lists.ts";
import type { LaneSpan } from "./lanes.ts";

type Session = Pick<PaymentKey, "partnerId" | "sessionId">;

/** A received span, with its trace. */
interface TracedSpan extends LaneSpan {
  readonly traceId: string;
}

/** The spans of the app's traces. The number is limited: the oldest traces are removed. */
export interface Traces {
  /** Adds spans. Returns the sessions that they name. */
  add(spans: readonly TracedSpan[]): readonly Session[];
  /** The spans of a session: those of the named traces, and of the traces in which a span names the session. */
  ofSession(sessionId: string, traceIds: readonly string[]): readonly LaneSpan[];
}

/** A call to the tables is part of its caller's bar. Without these calls a payment has about fifteen spans. */
const isDrawn = ({ attributes }: TracedSpan): boolean => attributes["db.system.name"] === undefined;

export function newTraces(): Traces {
  const spans = boundedLists<TracedSpan>({ keys: 4_000, items: 1_000 });
  const traces = boundedLists<string>({ keys: 4_000, items: 200 });
  return {
    add(arrived) {
      const named = new Map<string, Session>();
      for (const span of arrived.filter(isDrawn)) {
        spans.add(span.traceId, span);
        const sessionId = sessionOf(span);
        if (sessionId === undefined) continue;
        if (!traces.of(sessionId).includes(span.traceId)) traces.add(sessionId, span.traceId);
        const partnerId = identifierIn(span, "payment.partner_id");
        if (partnerId !== undefined) named.set(`${partnerId} ${sessionId}`, { partnerId, sessionId });
      }
      return [...named.values()];
    },
    ofSession: (sessionId, traceIds) =>
      [...new Set([...traceIds, ...traces.of(sessionId)])]
        .flatMap((traceId) => spans.of(traceId))
        // A partner may put several payments into one trace.
        .filter((span) => (sessionOf(span) ?? sessionId) === sessionId),
  };
}

const sessionOf = (span: TracedSpan): string | undefined => identifierIn(span, "payment.session_id");

function identifierIn({ attributes }: TracedSpan, name: string): string | undefined {
  const value = attributes[name];
  return typeof value === "string" && isIdentifier(value) ? value.toLowerCase() : undefined;
}
