import Module from "node:module";
import type { Hooks } from "./hooks.ts";
import type { Log } from "./log.ts";
import type { FunctionCallback, FunctionMetadata, LogCategory, LogLevel, ProgrammingModel } from "./worker-protocol.ts";

const MODULE_NAME = "@azure/functions-core";

export interface RegisteredFunction {
  readonly id: string;
  readonly name: string;
  readonly metadata: FunctionMetadata;
  readonly callback: FunctionCallback;
}

/** The functions and the library that the app registered while it was loaded. */
export interface Registrations {
  readonly functions: ReadonlyMap<string, RegisteredFunction>;
  /** The library with which the app registered. Undefined if it registered nothing. */
  readonly programmingModel: () => ProgrammingModel | undefined;
  /** Ends start-up. Afterwards no function can be registered or removed. */
  readonly lock: () => void;
}

/** A registration that `dispose()` removes. Its callback runs once, on the first call. */
class Disposable {
  #callOnDispose: (() => unknown) | undefined;

  constructor(callOnDispose: () => unknown) {
    this.#callOnDispose = callOnDispose;
  }

  static from(...disposables: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => disposables.forEach((disposable) => disposable.dispose()));
  }

  dispose(): unknown {
    const callOnDispose = this.#callOnDispose;
    this.#callOnDispose = undefined;
    return callOnDispose?.();
  }
}

/**
 * Supplies the module with which an app registers its functions. In Azure, the Node worker injects it. The injection is global to the
 * process and cannot be undone, as in the worker.
 */
export function injectFunctionsCore(hooks: Hooks, log: Log): Registrations {
  const functions = new Map<string, RegisteredFunction>();
  let programmingModel: ProgrammingModel | undefined;
  let locked = false;

  const registerFunction = (metadata: FunctionMetadata, callback: FunctionCallback): Disposable => {
    if (locked) throw new Error("A function can only be registered during app startup.");
    const id = metadata.functionId ?? metadata.name;
    if (functions.has(id)) throw new Error(`A function with id "${id}" has already been registered.`);
    functions.set(id, { id, name: metadata.name, metadata: { ...metadata, functionId: id }, callback });
    return new Disposable(() => {
      if (locked) throw new Error("A function can only be disposed during app startup.");
      functions.delete(id);
    });
  };

  inject({
    // An app may read the versions. Nothing here depends on them.
    version: "3.14.1",
    hostVersion: "4.1052.200",
    Disposable,
    registerFunction,
    registerHook: (name: string, callback: (context: object) => unknown) =>
      new Disposable(hooks.register(name, callback)),
    setProgrammingModel: (model: ProgrammingModel) => {
      programmingModel = model;
    },
    getProgrammingModel: () => programmingModel,
    log: (level: LogLevel, category: LogCategory, message: string) => log({ level, category, message }),
  });
  return {
    functions,
    programmingModel: () => programmingModel,
    lock: () => {
      locked = true;
    },
  };
}

/** Replaces `require`, as the worker does. No package has this name, so `require` itself must return the module, also in bundles. */
function inject(core: object): void {
  const modules = Module.prototype as { require: (id: string) => unknown };
  modules.require = new Proxy(modules.require, {
    apply: (require, from, [id]: [string]) => (id === MODULE_NAME ? core : Reflect.apply(require, from, [id])),
  });
}
