import { raiseAlert as raise, storableDetail } from "../../domain/alert.ts";
import { newestVersion } from "../../ports/stored-forms.ts";
import type { Instant } from "../../domain/time.ts";
import type { BareAlert } from "../../ports/bare-alerts.ts";
import { Conflict, Unavailable } from "../../ports/failures.ts";
import { lineOf, type RaiseAlertDeps } from "./raise-alert.ts";
import type { Needs } from "../needs.ts";

export type CallOperatorDeps = RaiseAlertDeps & Needs<"bareAlerts">;

/**
 * Calls an operator about a failure of the platform itself. Writes a line to the log at once. Then sends the alert through the queue, where
 * it waits until the tables respond. If the queue does not accept the message, writes the alert directly. Returns false if both failed, so
 * that only the log line exists.
 */
export async function callOperator(deps: CallOperatorDeps, raised: BareAlert["raised"]): Promise<boolean> {
  const { cause, at, detail, ...identity } = raised;
  const raising = { by: { cause }, at, detail };
  deps.log.write("alertRaised", lineOf(identity, raising));
  return (
    (await succeeds(() => deps.bareAlerts.send({ v: newestVersion, raised }))) ||
    (await succeeds(async () => {
      const read = await deps.alerts.find(identity);
      const alert = raise(identity, read?.alert, raising);
      if (alert) await deps.alerts.save(alert, read);
    }))
  );
}

async function succeeds(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof Unavailable || error instanceof Conflict) return false;
    throw error;
  }
}

/**
 * The alert for a dependency that has been unavailable for a long time. All messages that fail within one hour have the same cause, so the
 * alert counts hours, not messages.
 */
export const dependencyAway = ({ dependency, message }: Unavailable, at: Instant): BareAlert["raised"] => ({
  subject: { kind: "platform" },
  kind: "dependencyAway",
  about: dependency,
  detail: storableDetail(message),
  cause: at.slice(0, "2026-11-21T10".length),
  at,
});
