import { eventIn } from "./live-log.ts";

export const levels = ["information", "warning", "error"] as const;
export type Level = (typeof levels)[number];

export interface Wanted {
  /** This level and those above it. */
  readonly level: Level;
  /** The identifier of a request, in the response's `x-request-id`: its lines, and those of what it caused. */
  readonly request?: string;
  /** The session of a payment. */
  readonly session?: string;
}

/**
 * Whether a line of the app's output is wanted. What a request caused has the trace of its own line, so the lines before that line are
 * judged again: pass all of them to `learn` first.
 */
export function wantedLines({ level, request, session }: Wanted) {
  const traces = new Set<string>();
  const least = levels.indexOf(level);
  return {
    learn(line: string): void {
      const event = eventIn(line);
      const trace = traceOf(event?.["traceparent"]);
      if (trace !== undefined && isSame(event?.["requestID"], request)) traces.add(trace);
    },
    isWanted(line: string): boolean {
      const event = eventIn(line);
      if (!event || levels.indexOf(event["level"] as Level) < least) return false;
      if (session !== undefined && !isSame(event["session"], session)) return false;
      if (request === undefined) return true;
      return isSame(event["requestID"], request) || traces.has(traceOf(event["traceparent"]) ?? "");
    },
  };
}

const isSame = (value: unknown, id: string | undefined): boolean =>
  typeof value === "string" && id !== undefined && value.toLowerCase() === id.toLowerCase();

/** The trace of a `traceparent`: its second part. */
const traceOf = (traceparent: unknown): string | undefined =>
  typeof traceparent === "string" ? traceparent.split("-")[1] : undefined;
