import type { LogCategory, LogLevel } from "./worker-protocol.ts";

/** A log entry for the operator. */
export interface LogEntry {
  readonly level: LogLevel;
  /** The source: the app itself, or the library and the host. */
  readonly category: LogCategory;
  /** The function that the entry concerns; left out for what concerns the host. */
  readonly functionName?: string;
  readonly message: string;
}

export type Log = (entry: LogEntry) => void;

const severities: readonly LogLevel[] = ["trace", "debug", "information", "warning", "error", "critical", "none"];

/** Passes on entries of at least this severity. */
export const atLeast =
  (lowest: LogLevel, log: Log): Log =>
  (entry) => {
    if (severities.indexOf(entry.level) >= severities.indexOf(lowest)) log(entry);
  };

/** One line: level, function, message. Line breaks inside the message become `\n`. */
export const toLine = ({ level, functionName, message }: LogEntry): string =>
  `${level} ${functionName ?? "host"} ${message.replaceAll("\r", "").replaceAll("\n", "\\n")}`;

/** An error with its stack and causes, as text. */
export const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\ncaused by ${describe(error.cause)}`;
};
