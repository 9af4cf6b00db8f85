import { queueWorker } from "../../shared/adapters/queues/queue-worker.ts";
import { raiseAlert, type RaiseAlertDeps } from "../../shared/use-cases/alerts/raise-alert.ts";
import { alertSubjectOf } from "../../shared/ports/subjects.ts";
import type { Work } from "../../shared/use-cases/outbox/deliver.ts";

/** Alerts operators: stores alerts, and writes a line to the log. */
export const operatorAlerts = queueWorker("operator-alerts", {
  alert: (deps: RaiseAlertDeps, { subject, command: { sequence }, effect }: Work<"alert">) => {
    const { alert: kind, about, at, detail } = effect;
    return raiseAlert(deps, { subject: alertSubjectOf(subject), kind, about }, { by: { sequence }, at, detail });
  },
});
