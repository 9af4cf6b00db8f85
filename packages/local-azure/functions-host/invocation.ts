import { randomUUID } from "node:crypto";
import type { RegisteredFunction } from "./functions-core.ts";
import type { Hooks } from "./hooks.ts";
import type {
  CoreInvocationContext,
  FunctionCallback,
  InvocationInput,
  InvocationResponse,
  ProgrammingModel,
  TraceContext,
} from "./worker-protocol.ts";

/** Runs a function once and returns its result. Rejects with its error. */
export type Invoke = (invoked: RegisteredFunction, input: InvocationInput) => Promise<InvocationResponse>;

/** Invokes functions as the Node worker does. The library makes the arguments. The app's hooks run before and after the call. */
export const invoker =
  (model: ProgrammingModel, hooks: Hooks, { tracesCalls }: { readonly tracesCalls: boolean }): Invoke =>
  async ({ id, name, metadata, callback }, given) => {
    const input = tracesCalls ? given : { ...given, traceContext: NO_SPAN };
    const invocationId = randomUUID();
    const { appHookData } = hooks;
    const hookData: Record<string, unknown> = {};
    let invocationContext: unknown;
    const core: CoreInvocationContext = {
      invocationId,
      metadata,
      request: { ...input, invocationId, functionId: id },
      state: undefined,
      log: (level, category, message) =>
        hooks.log({ level, category, functionName: name, message }, { hookData, appHookData, invocationContext }),
    };
    const during = async <T>(
      state: NonNullable<CoreInvocationContext["state"]>,
      step: () => Promise<T>,
    ): Promise<T> => {
      core.state = state;
      try {
        return await step();
      } finally {
        core.state = undefined;
      }
    };

    const invocation = await model.getInvocationModel(core);
    const { context, inputs } = await invocation.getArguments();
    invocationContext = context;

    // Hooks may replace the inputs and the function before the call, and the result and the error after it.
    const before: { inputs: unknown[]; functionCallback: FunctionCallback } & Record<string, unknown> = {
      hookData,
      appHookData,
      invocationContext,
      functionCallback: callback,
      inputs,
    };
    await during("preInvocationHooks", () => hooks.run("preInvocation", before));
    const after: { result: unknown; error: unknown } & Record<string, unknown> = {
      hookData,
      appHookData,
      invocationContext,
      inputs: before.inputs,
      result: null,
      error: null,
    };
    try {
      after.result = await during("invocation", () =>
        invocation.invokeFunction(context, before.inputs, before.functionCallback),
      );
    } catch (error) {
      after.error = error;
    }
    await during("postInvocationHooks", () => hooks.run("postInvocation", after));
    if (after.error !== null && after.error !== undefined) throw after.error;
    return invocation.getResponse(context, after.result);
  };

/**
 * Calls `late` with the name of a function that takes longer than `ms`. It does not end that one call. In Azure, the whole worker ends,
 * with all its calls.
 */
export function inTime(ms: number, invoke: Invoke, late: (functionName: string) => void): Invoke {
  if (ms === Infinity) return invoke;
  return async (invoked, input) => {
    const timer = setTimeout(() => late(invoked.name), ms);
    try {
      return await invoke(invoked, input);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The trace context of a function if the host sends nothing to Application Insights, even if the caller has a trace. */
const NO_SPAN: TraceContext = { traceParent: "", traceState: "", attributes: {} };
