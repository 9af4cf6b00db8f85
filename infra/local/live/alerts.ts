import { alertKinds } from "../../../shared/domain/alert-kinds.ts";
import { nameOfSubject, type Alert } from "../../../shared/domain/alert.ts";
import type { AlertView } from "./views/alerts.ts";

/** An alert as the page shows it, with what an operator is to do. */
export function alertView(alert: Alert): AlertView {
  const { subject, kind, about, count, firstAt, lastAt, detail } = alert;
  return {
    id: [kind, nameOfSubject(subject), about ?? "", "day" in subject ? subject.day : ""].join("~"),
    kind,
    ...aboutOf(alert),
    ...(subject.kind === "payment" && { sessionId: subject.sessionId }),
    ...(subject.kind !== "platform" && { partnerId: subject.partnerId }),
    count,
    firstAt: Date.parse(firstAt),
    lastAt: Date.parse(lastAt),
    ...(detail !== undefined && { detail }),
    ...alertKinds[kind],
  };
}

/** What it is about beside its payment: a charge or refund, or the day of a terminal. */
function aboutOf({ subject, about }: Alert): Pick<AlertView, "about"> {
  if (about !== undefined) return { about };
  return subject.kind === "terminal" ? { about: `terminal ${subject.terminalId}, ${subject.day}` } : {};
}
