import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessErrorArgs, ServiceBusReceivedMessage, ServiceBusReceiver } from "@azure/service-bus";
import type { RegisteredFunction } from "./functions-core.ts";
import type { ServiceBusSettings } from "./host-settings.ts";
import type { Invoke } from "./invocation.ts";
import { describe, type Log } from "./log.ts";
import { connectToQueue, type BusConnection } from "./queue-connection.ts";
import { bodyOf, triggerMetadata } from "./service-bus-metadata.ts";
import { oneEachTurn } from "./settling.ts";
import { spanOf } from "./trace-context.ts";

/** A function that the messages of a queue trigger. */
export interface QueueFunction {
  readonly registered: RegisteredFunction;
  readonly bindingName: string;
  readonly queueName: string;
  readonly connection: BusConnection;
  /** Overrides host.json. */
  readonly autoCompleteMessages: boolean | undefined;
  readonly dataType: "string" | "binary";
}

export interface Listening {
  /** Receives no more messages. Resolves when the running ones are settled. */
  stop(): Promise<void>;
}

const RECONNECT_AFTER_MS = 500;

/**
 * Delivers the messages of a queue to its function, as the extension does. If the function returns, the message is completed. If it throws,
 * the message is abandoned at once. Its lock is renewed meanwhile. Connects by itself, and reconnects after every loss of the connection.
 */
export function listenToQueue(
  queue: QueueFunction,
  host: {
    readonly settings: ServiceBusSettings;
    /** Whether to abandon a message if its function returns after the stop began. */
    readonly abandonsLate: boolean;
    readonly invoke: Invoke;
    readonly log: Log;
  },
): Listening {
  const { registered, queueName } = queue;
  const { maxConcurrentCalls, maxAutoLockRenewalMs } = host.settings;
  const autoComplete = queue.autoCompleteMessages ?? host.settings.autoCompleteMessages;
  const warn = (level: "warning" | "error", message: string) =>
    host.log({ level, category: "system", functionName: registered.name, message });

  /** Running calls of the function, including those whose connection is lost by now. */
  const running = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const stopped = once(stopping.signal, "abort");

  const settling = oneEachTurn();
  const runAndSettle = async (message: ServiceBusReceivedMessage, receiver: ServiceBusReceiver): Promise<void> => {
    while (running.size >= maxConcurrentCalls) await Promise.race(running);
    const failure = await tracked(running, failureOf(run(queue, message, host.invoke)));
    try {
      if (failure) {
        warn("error", `the function failed on message ${String(message.messageId)}: ${describe(failure.error)}`);
        await settling(() => receiver.abandonMessage(message));
      } else if (host.abandonsLate && stopping.signal.aborted) {
        warn("warning", `message ${String(message.messageId)} was done after the stop began, and is abandoned`);
        await settling(() => receiver.abandonMessage(message));
      } else if (autoComplete) {
        await settling(() => receiver.completeMessage(message));
      }
    } catch (error) {
      // The lock is lost or the broker is away, so the message will be delivered again.
      warn("warning", `message ${String(message.messageId)} could not be settled: ${describe(error)}`);
    }
  };

  const receiveUntilLost = async (): Promise<void> => {
    const connection = await connectToQueue(queue.connection, queueName, { maxAutoLockRenewalMs });
    const { receiver } = connection;
    const unsettled = new Set<Promise<void>>();
    let isOver = false;
    const subscription = receiver.subscribe(
      {
        processMessage: (message) => tracked(unsettled, runAndSettle(message, receiver)),
        processError: async ({ error, errorSource }: ProcessErrorArgs) => {
          if (!isOver) warn("warning", `queue "${queueName}" (${errorSource}): ${error.message}`);
        },
      },
      // The client's own settlement does not report when it is done, and a stop would cut it off.
      { autoCompleteMessages: false, maxConcurrentCalls },
    );
    const settleRest = async (): Promise<void> => {
      await subscription.close();
      while (unsettled.size > 0) await Promise.all(unsettled); // messages may still arrive during the close
      await connection.close();
    };
    const reason = await Promise.race([connection.lost, stopped.then(() => undefined)]);
    isOver = true;
    if (reason === undefined) {
      await Promise.race([connection.lost, settleRest()]);
      return;
    }
    warn("warning", `queue "${queueName}": no connection: ${reason}`);
    void connection.close();
    await Promise.race([sleep(RECONNECT_AFTER_MS), stopped]);
  };

  const listening = (async () => {
    while (!stopping.signal.aborted) await receiveUntilLost();
    await Promise.all(running);
  })();
  return {
    stop() {
      stopping.abort();
      return listening;
    },
  };
}

/** Calls the function. Rejects with the function's error, or if the message cannot be bound. */
async function run(queue: QueueFunction, message: ServiceBusReceivedMessage, invoke: Invoke): Promise<void> {
  const data = bodyOf(message, queue.dataType);
  const { "Diagnostic-Id": traceparent } = message.applicationProperties ?? {};
  await invoke(queue.registered, {
    inputData: [{ name: queue.bindingName, data }],
    triggerMetadata: triggerMetadata(message, data.string),
    traceContext: spanOf(traceparent),
  });
}

const failureOf = (work: Promise<unknown>): Promise<{ readonly error: unknown } | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );

/** Keeps a promise in the set until it ends. */
async function tracked<T>(set: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  set.add(work);
  try {
    return await work;
  } finally {
    set.delete(work);
  }
}
