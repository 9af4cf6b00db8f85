import { raiseAlert as raise, type RaisedAlert } from "../../domain/alert.ts";
import type { Instant } from "../../domain/time.ts";
import type { Alerts } from "../../ports/alerts.ts";
import type { OperatorLog } from "../../ports/operator-log.ts";
import type { PaymentKey } from "../../ports/subjects.ts";

export interface RaiseAlertDeps {
  readonly alerts: Alerts;
  readonly operatorLog: OperatorLog;
}

/** An alert, and the change of the payment that raised it. */
interface RaisedByChange extends RaisedAlert {
  readonly sequence: number;
  readonly at: Instant;
}

/**
 * Counts an alert and writes its line to the log. A repetition is counted once, and writes its line again: the first run may have
 * died between the two. Throws `Conflict`.
 */
export async function raiseAlert(
  { alerts, operatorLog }: RaiseAlertDeps,
  { partnerId, sessionId }: PaymentKey,
  { alert: kind, about, detail, sequence, at }: RaisedByChange,
): Promise<"done"> {
  const identity = { partnerId, sessionId, kind, about };
  const read = await alerts.find(identity);
  const alert = raise(identity, read?.alert, { sequence, at, detail });
  if (alert) await alerts.save(alert, read);
  operatorLog.raised({ alert: kind, partnerId, sessionId, about, sequence });
  return "done";
}
