import { jsonLog } from "../../shared/adapters/log/json-log.ts";
import type { EventName, LineOutput, Log } from "../../shared/ports/log.ts";
import type { LogMembers } from "../../shared/ports/log-members.ts";

/** A parsed line of the log. */
export interface LoggedLine extends Partial<LogMembers> {
  readonly event: EventName;
  readonly level: string;
  readonly time: string;
  readonly version: string;
}

export interface CollectedLog extends Log {
  readonly lines: readonly LoggedLine[];
  /** The lines of one event. */
  of(event: EventName): LoggedLine[];
}

/** The log as the app writes it, kept in memory. */
export function collectedLog(now: () => string = () => "2026-11-21T10:00:00.000Z"): CollectedLog {
  const lines: LoggedLine[] = [];
  const keep = (line: string) => void lines.push(JSON.parse(line) as LoggedLine);
  const output: LineOutput = { info: keep, warn: keep, error: keep };
  const log = jsonLog({ now, version: "test", output });
  return {
    ...log,
    within: (names, _invocation, work) => log.within(names, output, work),
    lines,
    of: (event) => lines.filter((line) => line.event === event),
  };
}

/** The bytes that lines take in the log. */
export const bytesOf = (lines: readonly LoggedLine[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(JSON.stringify(line)), 0);
