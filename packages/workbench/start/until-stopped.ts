import { endSignal } from "../../../infra/tools/script.ts";
import { shownPath } from "../../../infra/tools/running-stacks.ts";

/**
 * Waits for Ctrl-C, for the end of npm or of the output's reader, or for a part to end by itself. Then it ends the rest. A second Ctrl-C
 * ends this process at once, and the parts then end by themselves.
 *
 * @returns whether it was asked to stop, or a part failed
 * @param failed resolves with the name of the part that ended by itself
 * @param logs the folder of the logs, which the message names
 */
export async function untilStopped(
  stop: () => Promise<void>,
  { failed, logs }: { readonly failed: Promise<string>; readonly logs: string },
): Promise<"asked" | "failed"> {
  const asked = Promise.withResolvers<undefined>();
  const signal = endSignal();
  const watch = setInterval(() => isLeftByNpm() && asked.resolve(undefined), 500);
  if (signal.aborted) asked.resolve(undefined);
  signal.addEventListener("abort", () => asked.resolve(undefined));
  const ended = await Promise.race([asked.promise, failed]);
  clearInterval(watch);
  if (ended !== undefined) {
    console.error(`${ended} ended by itself; its log is in ${shownPath(logs)}. Stopping the rest.`);
    process.exitCode = 1;
  }
  await stop();
  return ended === undefined ? "asked" : "failed";
}

const parent = process.ppid;

/** Whether npm's shell has ended. npm sends SIGTERM only to its shell, and on many systems that shell does not pass it on. */
const isLeftByNpm = (): boolean => process.env["npm_lifecycle_event"] !== undefined && process.ppid !== parent;
