import { raiseAlert as raise, type Alert, type AlertIdentity, type Raising } from "../../domain/alert.ts";
import { isMended } from "../../domain/mended-alert.ts";
import type { Alerts } from "../../ports/alerts.ts";
import type { LineOf, Log } from "../../ports/log.ts";

export interface RaiseAlertDeps {
  readonly alerts: Alerts;
  readonly log: Log;
}

/**
 * Counts an alert and writes its line to the log. The line comes first: after a crash between the two the next run writes it again. A cause
 * that was counted before writes none, nor does a report that is only counted because enough are kept. The end of a cause has a line of its
 * own, of another level, because an operator is called by the line. Throws `Conflict` and `Unavailable`.
 */
export async function raiseAlert(
  { alerts, log }: RaiseAlertDeps,
  identity: AlertIdentity,
  raising: Raising,
): Promise<"done"> {
  const read = await alerts.find(identity);
  const isEnd = isMended(identity.kind, raising.detail);
  const alert = raise(identity, read?.alert, { ...raising, isEnd });
  if (!alert) return "done";
  const event = isEnd ? "alertMended" : "alertRaised";
  if (!isOnlyCounted(alert, raising)) log.write<typeof event>(event, lineOf(identity, raising));
  await alerts.save(alert, read);
  return "done";
}

/** Bounds the log: a terminal whose reports are refused all day writes one line for each report that is kept. */
const isOnlyCounted = ({ reports }: Alert, { report }: Raising): boolean =>
  report !== undefined && !reports.some(({ cause }) => cause === report.cause);

/** The line of an alert. It holds names only: no free text of a terminal, and nothing of a card. */
export function lineOf(
  { subject, kind: alert, about }: AlertIdentity,
  { by }: Pick<Raising, "by">,
): LineOf<"alertRaised"> {
  switch (subject.kind) {
    case "payment":
      return { partner: subject.partnerId, session: subject.sessionId, alert, about, ...by };
    case "terminal":
      return { partner: subject.partnerId, terminal: subject.terminalId, day: subject.day, alert, about, ...by };
    case "platform":
      return { alert, about, ...by };
  }
}
