import type { QueueName } from "../../ports/queues.ts";
import { Unavailable } from "../../ports/failures.ts";
import type { Log } from "../../ports/log.ts";
import { loggedError } from "../../ports/logged-error.ts";
import { backOffMs } from "./back-off.ts";

/** A failed try that is followed by another one. */
interface FailedTry {
  readonly queue: QueueName;
  /** Undefined for an alert or a look without a command. */
  readonly commandID?: string | undefined;
  readonly effect: string;
  /** Failed tries so far, including this one. */
  readonly tries: number;
}

/** Logs a failed try: an unavailable dependency, a row of a later version, or an error in the platform itself. */
export function logFailure(log: Pick<Log, "write">, failed: FailedTry, error: unknown): void {
  const { queue, tries } = failed;
  const dueMs = backOffMs(tries);
  const shown = loggedError(error);
  if (!(error instanceof Unavailable)) log.write("effectFailed", { ...failed, dueMs, ...shown });
  else if (error.isVersionAhead) log.write("versionAhead", { queue, reason: "row", tries, dueMs, ...shown });
  else log.write("backOff", { ...failed, dueMs, reason: error.dependency, ...shown });
}
