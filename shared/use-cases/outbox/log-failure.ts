import type { QueueName } from "../../ports/queues.ts";
import { Unavailable } from "../../ports/failures.ts";
import type { Log } from "../../ports/log.ts";
import { loggedError } from "../../ports/logged-error.ts";
import { backOffMs } from "./back-off.ts";

/** A try that failed, and is followed by another one. */
interface FailedTry {
  readonly queue: QueueName;
  /** Undefined for an alert without a command. */
  readonly commandID?: string;
  readonly effect: string;
  /** Failed tries so far, this one included. */
  readonly tries: number;
}

/** Writes the line of a failed try: a dependency was away, a row is of a later version, or the platform itself is wrong. */
export function logFailure(log: Pick<Log, "write">, failed: FailedTry, error: unknown): void {
  const { queue, tries } = failed;
  const dueMs = backOffMs(tries);
  const shown = loggedError(error);
  if (!(error instanceof Unavailable)) log.write("effectFailed", { ...failed, dueMs, ...shown });
  else if (error.isVersionAhead) log.write("versionAhead", { queue, reason: "row", tries, dueMs, ...shown });
  else log.write("backOff", { ...failed, dueMs, reason: error.dependency, ...shown });
}
