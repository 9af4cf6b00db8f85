import { alertKinds } from "../../../shared/domain/alert-kinds.ts";
import { nameOfSubject, type Alert } from "../../../shared/domain/alert.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import { alertDetail } from "../../../infra/operator/common/alert-detail.ts";
import { standingOf, type AlertNow } from "../../../infra/operator/common/alert-standing.ts";
import { clock } from "../../../infra/operator/common/platform.ts";
import { namesOf, withWholeCommands } from "../../../infra/operator/common/whole-commands.ts";
import { asTyped } from "../../../infra/tools/typed-command.ts";
import { outcomeView } from "./outcomes.ts";
import type { PlaceView } from "./views/registered.ts";
import type { AlertView } from "./views/alerts.ts";

/** The identifier of an alert on the page. */
export const alertId = ({ subject, kind, about = "" }: Alert): string =>
  [kind, nameOfSubject(subject), about, "day" in subject ? subject.day : ""].join("~");

/** The stored record that caused an alert, and its terminal. */
export interface Cause extends Pick<AlertNow, "payment" | "reports" | "terminalDay"> {
  readonly place?: PlaceView | undefined;
}

/** An alert as the page shows it, with the state of its cause and the operator's tasks. */
export function alertView(alert: Alert, cause: Cause): AlertView {
  const { standing, isOver, fits } = standingOf(alert, { ...cause, now: clock.now(), timings: standardTimings });
  const { payment, place } = cause;
  const { subject, kind, about, count, firstAt, lastAt } = alert;
  const detail = alertDetail(alert, payment);
  const { means, toDo } = alertKinds[kind];
  const names = namesOf({ terminalId: payment?.terminalId, ...subject, kind, about });
  return {
    id: alertId(alert),
    kind,
    ...(about !== undefined && { about }),
    ...(subject.kind === "payment" && { sessionId: subject.sessionId }),
    ...(subject.kind !== "platform" && { partnerId: subject.partnerId }),
    ...(place && { place }),
    ...(subject.kind === "terminal" && { terminalId: subject.terminalId, day: subject.day }),
    count,
    firstAt: Date.parse(firstAt),
    lastAt: Date.parse(lastAt),
    ...(detail !== undefined && { detail }),
    means,
    toDo: asTyped(withWholeCommands(toDo, names)),
    ...(standing !== undefined && { standing }),
    isOver,
    outcomes: payment ? fits.map((outcome) => outcomeView(payment, outcome)) : [],
  };
}
