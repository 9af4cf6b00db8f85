import { AsyncLocalStorage } from "node:async_hooks";
import type { Instant } from "../../domain/time.ts";
import { logEvents, membersOf, type EventName, type LineOutput, type Log, type ScopeNames } from "../../ports/log.ts";
import type { LogMembers } from "../../ports/log-members.ts";
import { lineOfRun } from "./line-of-run.ts";

interface Scope {
  names: ScopeNames;
  /** Undefined after its work has ended: the logger of an ended invocation accepts no lines. */
  output: LineOutput | undefined;
}

export interface JsonLogOptions {
  readonly now: () => Instant;
  /** The app's version. Every line carries it, since two versions run side by side during a deployment. */
  readonly version: string;
  /** The log of the process, for lines that belong to no request or worker run. */
  readonly output: LineOutput;
}

/**
 * Writes the log as lines of JSON. Each line holds its event, its level unless that is information, and its time, then only the members that the event's row of the table
 * allows. A value that does not look like a name or a number is shown as withheld.
 */
export function jsonLog({ now, version, output }: JsonLogOptions): Log {
  const scopes = new AsyncLocalStorage<Scope>();
  return {
    write(event, given) {
      const { level, ...about }: { readonly level: string; readonly ofProcess?: true } = logEvents[event];
      const scope = about.ofProcess ? undefined : scopes.getStore();
      const written = { ...scope?.names, ...given };
      const kept = event === "worker" ? lineOfRun(written) : written;
      if (!kept) return;
      const shownLevel = level === "information" ? undefined : level;
      const line = JSON.stringify({ event, level: shownLevel, time: now(), ...allowed(event, kept), version });
      const to = scope?.output ?? output;
      if (level === "error") to.error(line);
      else if (level === "warning") to.warn(line);
      else to.info(line);
    },
    within(names, invocation, work) {
      const scope: Scope = { names, output: invocation };
      return scopes.run(scope, work).finally(() => (scope.output = undefined));
    },
    note(names) {
      const scope = scopes.getStore();
      if (scope) scope.names = { ...scope.names, ...names };
    },
  };
}

const allowedMembers = Object.fromEntries(
  Object.keys(logEvents).map((name) => [name, membersOf(name as EventName)]),
) as Readonly<Record<EventName, readonly (keyof LogMembers)[]>>;

/** The allowed members among the given ones, in the order of the table. */
function allowed(event: EventName, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const member of allowedMembers[event]) {
    const value = given[member];
    if (value !== undefined) line[member] = shown(value);
  }
  return line;
}

/** Matches no address, quotation or line break. It is long enough for every name and for the platform's own messages. */
const plain = /^[\w .,:;~+/()-]{1,200}$/;
const place = /^[\w./@+-]{1,200}:\d+:\d+$/;

function shown(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? Math.round(value) : "(withheld)";
  if (Array.isArray(value)) return value.filter((one) => typeof one === "string" && place.test(one));
  return typeof value === "string" && plain.test(value) ? value : "(withheld)";
}
