import { raiseAlert as raise, type Alert, type AlertIdentity, type Raising } from "../../domain/alert.ts";
import { loggedMembers, type OrphanReport } from "../../domain/orphan-report.ts";
import { isMended } from "../../domain/mended-alert.ts";
import type { LineOf } from "../../ports/log.ts";
import type { Needs } from "../needs.ts";

export type RaiseAlertDeps = Needs<"alerts" | "log">;

/**
 * Counts an alert and writes its line to the log. The line comes first: after a crash between the two steps, the next run writes it again.
 * A cause that was counted before writes no line. A report that is counted but not kept has a line of its own, with its members. The end of
 * a cause has a line of another level, because the line itself calls an operator. Throws `Conflict` and `Unavailable`.
 */
export async function raiseAlert(
  { alerts, log }: RaiseAlertDeps,
  identity: AlertIdentity,
  raising: Raising,
): Promise<"done"> {
  const read = await alerts.find(identity);
  const isEnd = isMended(identity.kind, raising.detail);
  // No operator was called about it.
  if (isEnd && !read && "cause" in raising.by) return "done";
  const alert = raise(identity, read?.alert, { ...raising, isEnd });
  if (!alert) return "done";
  const event = isEnd ? "alertMended" : "alertRaised";
  const line = lineOf(identity, raising);
  const { report } = raising;
  if (report && isOnlyCounted(alert, report)) log.write("reportCounted", { ...line, ...namesOf(report) });
  else log.write<typeof event>(event, line);
  await alerts.save(alert, read);
  return "done";
}

/** Whether the alert counts the report without keeping it, because it already keeps enough other reports. */
const isOnlyCounted = ({ reports }: Alert, report: OrphanReport): boolean =>
  !reports.some(({ cause }) => cause === report.cause);

function namesOf(report: OrphanReport): LineOf<"reportCounted"> {
  const { type: reportType, sessionID: session, ...names } = loggedMembers(report);
  return { reportType, session, ...names };
}

/** The line of an alert. It holds only names: no free text of a terminal, and no card data. */
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
