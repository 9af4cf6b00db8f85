import { raiseAlert as raise, storableDetail } from "../../domain/alert.ts";
import type { Instant } from "../../domain/time.ts";
import type { BareAlert, BareAlerts } from "../../ports/bare-alerts.ts";
import { Conflict, Unavailable } from "../../ports/failures.ts";
import { lineOf, type RaiseAlertDeps } from "./raise-alert.ts";

export interface CallOperatorDeps extends RaiseAlertDeps {
  readonly bareAlerts: BareAlerts;
}

/**
 * Calls an operator for trouble of the platform's own: a line in the log at once, and a row by way of the queue, where it waits until
 * the tables answer; a queue that takes nothing is passed by. False where neither took it: there is only the line.
 */
export async function callOperator(deps: CallOperatorDeps, raised: BareAlert["raised"]): Promise<boolean> {
  const { cause, at, detail, ...identity } = raised;
  const raising = { by: { cause }, at, detail };
  deps.operatorLog.raised(lineOf(identity, raising));
  return (
    (await isTaken(() => deps.bareAlerts.send({ v: 1, raised }))) ||
    (await isTaken(async () => {
      const read = await deps.alerts.find(identity);
      const alert = raise(identity, read?.alert, raising);
      if (alert) await deps.alerts.save(alert, read);
    }))
  );
}

async function isTaken(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof Unavailable || error instanceof Conflict) return false;
    throw error;
  }
}

/** A dependency has been away for long. Whoever finds it so within one hour raises the same: it counts by hours, not by messages. */
export const dependencyAway = ({ dependency, message }: Unavailable, at: Instant): BareAlert["raised"] => ({
  subject: { kind: "platform" },
  kind: "dependencyAway",
  about: dependency,
  detail: storableDetail(message),
  cause: at.slice(0, "2026-11-21T10".length),
  at,
});
