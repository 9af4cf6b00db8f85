import type { Log, LogEntry } from "./log.ts";
import type { LogLevel } from "./worker-protocol.ts";

const names = ["appStart", "appTerminate", "preInvocation", "postInvocation", "log"] as const;
type HookName = (typeof names)[number];
type HookCallback = (context: object) => unknown;

/** The app's callbacks at its start, at its end and around each invocation. */
export interface Hooks {
  /** Returns a function that removes the callback. An unknown name throws a RangeError. */
  register(name: string, callback: HookCallback): () => void;
  /** Runs the callbacks in the order of their registration. A callback that throws ends the run. */
  run(name: Exclude<HookName, "log">, context: object): Promise<void>;
  /** Passes an entry to the log hooks, then logs it. The hooks may change what the app logged, but not what the system logged. */
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
        // By this member, the library distinguishes this error from an app's own error.
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
        // a log hook that fails must not suppress the entry
      }
      log(entry.category === "user" ? { ...entry, level: shown.level, message: shown.message } : entry);
    },
  };
}

const isHookName = (name: string): name is HookName => names.some((known) => known === name);
