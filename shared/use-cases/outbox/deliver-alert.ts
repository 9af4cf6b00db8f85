import type { Instant } from "../../domain/time.ts";
import type { BareAlert } from "../../ports/bare-alerts.ts";
import { Unavailable } from "../../ports/failures.ts";
import { raiseAlert, type RaiseAlertDeps } from "../alerts/raise-alert.ts";
import { backOff, type BackOffDeps } from "./back-off.ts";
import { logFailure } from "./log-failure.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";
import type { Needs } from "../needs.ts";

export interface DeliverAlertDeps extends RaiseAlertDeps, BackOffDeps, Needs<"bareAlerts"> {
  readonly log: RaiseAlertDeps["log"];
}

/** An alert without a command, as the broker delivered it, with the broker's enqueued time. */
export interface AlertDelivery {
  readonly alert: BareAlert;
  readonly enqueuedAt: Instant;
}

/** Raises an alert that has no command. While the tables are unavailable, it waits in its queue. */
export async function deliverAlert(deps: DeliverAlertDeps, { alert, enqueuedAt }: AlertDelivery): Promise<void> {
  const { cause, at, detail, report, ...identity } = alert.raised;
  try {
    await retryOnConflict(() => raiseAlert(deps, identity, { by: { cause }, at, detail, report }));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const failures = (alert.failures ?? 0) + 1;
    logFailure(deps.log, { queue: "operator-alerts", effect: "alert", tries: failures }, error);
    await backOff(deps, { enqueuedAt, failures }, (due) => deps.bareAlerts.send({ ...alert, failures }, due));
  }
}
