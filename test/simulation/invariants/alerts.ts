import type { AlertIdentity } from "../../../shared/domain/alert.ts";
import type { StoredEffect } from "../../../shared/domain/effects.ts";
import type { LineOf } from "../../../shared/ports/log.ts";
import { alertSubjectOf } from "../../../shared/ports/subjects.ts";
import { lineOf } from "../../../shared/use-cases/alerts/raise-alert.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * Alerts of changes of payments and of terminals' days. Every marked change has its alert, counted once and with a log line. It is open
 * unless an operator closed it since. No other alert or line exists.
 */
export async function checkAlerts(
  world: World,
  { sessions, commands }: { readonly sessions: readonly Session[]; readonly commands: Session["commands"] },
  { ports, logged }: Platform,
  ending: Ending,
): Promise<void> {
  const raised = Map.groupBy(
    [...sessions.flatMap((session) => raisedIn(world, session)), ...raisedByDays(commands)],
    nameOf,
  );
  const kept = (await ports.alerts.all()).filter(({ raisedBy, causes }) => raisedBy.length > 0 || causes.length === 0);
  const open = new Set((await ports.alerts.listOpen()).map(nameOf));
  for (const alert of kept) {
    const causes = raised.get(nameOf(alert)) ?? [];
    const sequences = causes.map(({ sequence }) => sequence);
    const counted = new Set(alert.raisedBy);
    const isListedWhole = alert.countedUpTo === 0; // a row lists only the latest changes
    if (isOfLost(world, alert)) continue;
    if (
      (isListedWhole && alert.count !== counted.size + alert.causes.length) ||
      [...counted].some((sequence) => !sequences.includes(sequence))
    )
      world.violate("an alert without its cause", `${nameOf(alert)}: ${alert.count} of ${sequences.join(" ")}`);
    if (open.has(nameOf(alert)) !== (alert.status === "open"))
      world.violate("an alert is open but not listed, or closed but listed", nameOf(alert));
    const closing = alert.closings.at(-1);
    // A closing stores how often the alert had been raised by then.
    const since = closing === undefined ? Infinity : alert.count - Number(closing.why);
    const mended = logged.filter((line) => line.event === "alertMended" && nameOfLine(line) === nameOf(alert));
    const ends = new Set(mended.map(({ sequence, cause }) => sequence ?? cause)).size; // an end leaves the alert unchanged
    if (alert.status === "open" ? since === 0 : since > ends)
      world.violate("an alert is closed after a new occurrence, or open without one", nameOf(alert));
  }
  for (const line of logged) {
    if (line.cause !== undefined) continue;
    const changes = raised.get(nameOfLine(line)) ?? [];
    if (!changes.some(({ sequence }) => sequence === line.sequence))
      world.violate("a log line without its alert", JSON.stringify(line));
  }
  if (ending !== "quiet") return;
  for (const [name, changes] of raised) {
    const alert = kept.find((one) => nameOf(one) === name);
    if (alert && isOfLost(world, alert)) continue;
    for (const { sequence, isGood } of changes) {
      const isCounted = alert !== undefined && (sequence <= alert.countedUpTo || alert.raisedBy.includes(sequence));
      if (!isCounted) world.violate("an alert was not stored", `${name} ${sequence}`);
      const lines = logged.filter((line) => line.sequence === sequence && nameOfLine(line) === name);
      if (lines.length === 0) world.violate("an alert without its log line", `${name} ${sequence}`);
      if (lines.some(({ event }) => event !== (isGood ? "alertMended" : "alertRaised")))
        world.violate("good news wakes an operator, or bad news does not", `${name} ${sequence}`);
    }
  }
}

/**
 * After a failover an alert may be about a lost change, whose sequence a new change of the session has again. Its operator must still see
 * it.
 */
const isOfLost = ({ lostTime }: World, { subject }: AlertIdentity): boolean =>
  subject.kind === "payment" && lostTime.behind.has(subject.sessionId);

interface Raised extends AlertIdentity {
  readonly sequence: number;
  /** Whether the change ends the alert's cause. */
  readonly isGood: boolean;
}

/** The alerts that a session's commands raise. Each change has those that its history entry names. */
function raisedIn(world: World, { history, commands }: Session): Raised[] {
  const raised = commands.flatMap(({ state, subject, sequence, effects }) =>
    state === "ready" && subject.kind === "payment"
      ? effects.flatMap((effect): Raised[] =>
          effect.kind === "alert"
            ? [{ subject, kind: effect.alert, about: effect.about, sequence, isGood: false }]
            : [],
        )
      : [],
  );
  for (const { sequence, alerts = [] } of history) {
    const named = alerts.map(({ kind, about = "" }) => `${kind} ${about}`).toSorted();
    const carried = raised.filter((one) => one.sequence === sequence).map(({ kind, about = "" }) => `${kind} ${about}`);
    if (named.join() !== carried.toSorted().join())
      world.violate("the history names other alerts than were raised", `${sequence}: ${named.join()}`);
  }
  return raised;
}

/** The alerts that changes of terminals' days raise. */
const raisedByDays = (commands: Session["commands"]): Raised[] =>
  commands.flatMap(({ state, subject, sequence, effects }) =>
    state === "ready" && subject.kind === "terminalDay"
      ? effects.flatMap((effect): Raised[] =>
          effect.kind === "alert"
            ? [
                {
                  subject: alertSubjectOf(subject),
                  kind: effect.alert,
                  about: effect.about,
                  sequence,
                  isGood: effects.some(isGoodNews),
                },
              ]
            : [],
        )
      : [],
  );

/** Whether the effect reports that the terminal's totals have arrived, or equal the books. A change with such an effect raises no alert. */
const isGoodNews = (effect: StoredEffect): boolean =>
  (effect.kind === "webhook" && effect.type === "day.closed") ||
  (effect.kind === "deadline" && effect.deadline === "dayComparison");

const nameOf = (alert: AlertIdentity): string => nameOfLine(lineOf(alert, { by: { sequence: 0 } }));

const nameOfLine = ({ alert, partner, session, terminal, day, about }: LineOf<"alertRaised">): string =>
  [alert, partner, session, terminal, day, about].filter((part) => part !== undefined).join(" ");
