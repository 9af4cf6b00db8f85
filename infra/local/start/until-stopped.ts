import { endSignal } from "../../tools/script.ts";
import { shownPath } from "../../tools/running-stacks.ts";

/**
 * Waits for Ctrl-C, for the reader of the output to end, or for a part to end by itself. Then it ends the rest. A second Ctrl-C ends this
 * process at once, and the parts then end by themselves.
 *
 * @param failed resolves with the name of the part that ended by itself
 * @param logs the folder of the logs, which the message names
 */
export async function untilStopped(
  stop: () => Promise<void>,
  { failed, logs }: { readonly failed: Promise<string>; readonly logs: string },
): Promise<void> {
  const asked = Promise.withResolvers<undefined>();
  const signal = endSignal();
  if (signal.aborted) asked.resolve(undefined);
  signal.addEventListener("abort", () => asked.resolve(undefined));
  const ended = await Promise.race([asked.promise, failed]);
  if (ended !== undefined) {
    console.error(`${ended} ended by itself; its log is in ${shownPath(logs)}. Stopping the rest.`);
    process.exitCode = 1;
  }
  await stop();
}
