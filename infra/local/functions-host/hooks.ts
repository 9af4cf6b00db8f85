import type { Log, LogEntry } from "./log.ts";
import type { LogLevel } from "./worker-protocol.ts";

const names = ["appStart", "appTerminate", "preInvocation", "postInvocation", "log"] as const;
type HookName = (typeof names)[number];
type HookCallback = (context: object) => unknown;

/** The app's callbacks around its own life and that of each invocation. */
export interface Hooks {
  /** Answers the way to take the callback back. A name that is not known is a RangeError. */
  register(name: string, callback: HookCallback): () => void;
  /** Runs them in the order of their registration; one that throws ends it. */
  run(name: Exclude<HookName, "log">, context: object): Promise<void>;
  /** Shows an entry to the log hooks, then logs it: they may change what the app logged, not what the system did. */
  log(entry: LogEntry, context: object): void;
  /** Shared by all hooks of the app. */
  readonly appHookData: Record<string, unknown>;
}

export function createHooks(log: Log): Hooks {
  const callbacks: Record<HookName, HookCallback[]> = {
    appStart: [],
    appTerminate: [],
    preInvocation: [],
    postInvocation: [],
    log: [],
  };
  return {
    appHookData: {},
    register(name, callback) {
      if (!isHookName(name)) {
        // The library tells this error from an app's own by this member.
        throw Object.assign(new RangeError(`Unrecognized hook "${name}"`), { isAzureFunctionsSystemError: true });
      }
      const registered = callbacks[name];
      registered.push(callback);
      return () => {
        const at = registered.indexOf(callback);
        if (at >= 0) registered.splice(at, 1);
      };
    },
    async run(name, context) {
      for (const callback of callbacks[name]) await callback(context);
    },
    log(entry, context) {
      const shown: { level: LogLevel; message: string } = Object.assign(context, entry);
      try {
        for (const callback of callbacks.log) callback(shown);
      } catch {
        // a log hook that fails must not keep the entry back
      }
      log(entry.category === "user" ? { ...entry, level: shown.level, message: shown.message } : entry);
    },
  };
}

const isHookName = (name: string): name is HookName => names.some((known) => known === name);
