import { eventIn, levelOf, levels, type Level } from "./live-log.ts";

export interface Wanted {
  /** This level and those above it. */
  readonly level: Level;
  /** The identifier of a request, from the response's `x-request-id`. Its lines are wanted, and those of the work that it caused. */
  readonly request?: string;
  /** The session of a payment. */
  readonly session?: string;
}

/**
 * Tells whether a line of the app's output is wanted. The work that a request caused has the request's trace, which the request's own line
 * tells. That line may come later, so pass all lines to `learn` first.
 */
export function wantedLines({ level, request, session }: Wanted) {
  const traces = new Set<unknown>();
  const least = levels.indexOf(level);
  return {
    learn(line: string): void {
      const event = eventIn(line);
      const trace = event?.["trace"];
      if (trace !== undefined && isSame(event?.["requestID"], request)) traces.add(trace);
    },
    isWanted(line: string): boolean {
      const event = eventIn(line);
      if (!event || levels.indexOf(levelOf(event)) < least) return false;
      if (session !== undefined && !isSame(event["session"], session)) return false;
      if (request === undefined) return true;
      return isSame(event["requestID"], request) || traces.has(event["trace"]);
    },
  };
}

const isSame = (value: unknown, id: string | undefined): boolean =>
  typeof value === "string" && id !== undefined && value.toLowerCase() === id.toLowerCase();
