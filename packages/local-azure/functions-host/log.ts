import { Console } from "node:console";
import { Writable } from "node:stream";
import type { LogCategory, LogLevel } from "./worker-protocol.ts";

/** A log entry for the operator. */
export interface LogEntry {
  readonly level: LogLevel;
  /** The source: the app itself in an invocation or on its console, or the library and the host. */
  readonly category: LogCategory | "console";
  /** The function that the entry is about. Left out if the entry is about the host. */
  readonly functionName?: string;
  readonly message: string;
}

export type Log = (entry: LogEntry) => void;

export const severities = ["trace", "debug", "information", "warning", "error", "critical", "none"] as const;

/** The lowest level that is logged, by the beginning of a category. */
export type Levels = Readonly<Record<string, LogLevel>>;

/**
 * Passes on the entries that the levels of host.json allow. The longest matching beginning of the entry's category decides; if none
 * matches, `default` does. Case does not matter, and there are no wildcards, as in the filter of Application Insights.
 */
export function filtered(levels: Levels, log: Log): Log {
  const { default: standard = "information", ...others } = levels;
  const rules = Object.entries(others)
    .map(([beginning, level]) => [beginning.toLowerCase(), level] as const)
    .toSorted(([one], [other]) => other.length - one.length);
  return (entry) => {
    const category = categoryOf(entry).toLowerCase();
    const [, lowest = standard] = rules.find(([beginning]) => category.startsWith(beginning)) ?? [];
    if (severities.indexOf(entry.level) >= severities.indexOf(lowest)) log(entry);
  };
}

/** The category under which the real host logs the entry. */
function categoryOf({ category, functionName }: LogEntry): string {
  if (category === "console") return "Host.Function.Console";
  if (functionName === undefined) return "Host.General";
  return category === "user" ? `Function.${functionName}.User` : `Function.${functionName}`;
}

/**
 * A console whose lines are logged as the real host logs an app's output. A line of standard output is information. The level of a line of
 * standard error depends on its text.
 */
export function consoleOf(log: Log): Console {
  const lines = (levelOf: (line: string) => LogLevel) =>
    new Writable({
      write(chunk, _encoding, done) {
        for (const message of String(chunk).split("\n").filter(Boolean))
          log({ level: levelOf(message), category: "console", message });
        done();
      },
    });
  const byWords = (line: string) =>
    /warn/i.test(line) ? "warning" : /error|fail|severe/i.test(line) ? "error" : "information";
  return new Console(
    lines(() => "information"),
    lines(byWords),
  );
}

/** One line: level, function, message. Line breaks inside the message become `\n`. Lines that the app printed stay as they are. */
export const toLine = ({ level, category, functionName, message }: LogEntry): string =>
  category === "console"
    ? message
    : `${level} ${functionName ?? "host"} ${message.replaceAll("\r", "").replaceAll("\n", "\\n")}`;

/** An error with its stack and causes, as text. */
export const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\ncaused by ${describe(error.cause)}`;
};
