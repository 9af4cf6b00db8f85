import { raiseAlert as raise, type AlertIdentity, type Raising } from "../../domain/alert.ts";
import type { Alerts } from "../../ports/alerts.ts";
import type { OperatorLog, RaisedLine } from "../../ports/operator-log.ts";

export interface RaiseAlertDeps {
  readonly alerts: Alerts;
  readonly operatorLog: OperatorLog;
}

/**
 * Counts an alert and writes its line to the log. A repetition is counted once, and writes its line again: the first run may have
 * died between the two. Throws `Conflict` and `Unavailable`.
 */
export async function raiseAlert(
  { alerts, operatorLog }: RaiseAlertDeps,
  identity: AlertIdentity,
  raising: Raising,
): Promise<"done"> {
  const read = await alerts.find(identity);
  const alert = raise(identity, read?.alert, raising);
  if (alert) await alerts.save(alert, read);
  operatorLog.raised(lineOf(identity, raising));
  return "done";
}

const lineOf = ({ subject, kind: alert, about }: AlertIdentity, { by }: Raising): RaisedLine => {
  const { kind: _, ...names } = subject;
  return { alert, ...names, about, ...by };
};
