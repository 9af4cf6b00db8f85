import type { Payment } from "../../shared/domain/payment/payment.ts";
import type { MajorTotals } from "../../infra/local/terminal/terminal-client.ts";
import { CURRENCY, minor } from "../chaos/cards.ts";
import type { ClosedDay } from "../chaos/closings.ts";
import type { EndedDay } from "../chaos/day.ts";
import { over, type Promised } from "../chaos/load.ts";
import type { ShownAlert } from "../chaos/operator-judgements.ts";
import { moneyOf } from "./money.ts";
import type { Happened } from "./live-through.ts";
import type { Options } from "./options.ts";
import { overTime, phasesOf, type PaymentTimes } from "./phases.ts";
import type { Rehearsal } from "./record.ts";

/** A day that was lived through, as its parts report it. */
export interface Lived {
  readonly options: Options;
  /** When the day began, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly happened: readonly Happened[];
  readonly day: EndedDay;
  /** The partners whose webhook servers hang while that is the trouble. */
  readonly hanging: ReadonlySet<string>;
  /** All payments of the tables, when the day was over. */
  readonly payments: readonly Payment[];
  readonly app: { readonly version: string; readonly beside: string | undefined };
  /** How often one version left to the other what it wrote. */
  readonly timesLeft: number;
  readonly isEndedEarly: boolean;
}

/** The record of a day. A day that was ended early, with payments under way, is not judged by what they would have become. */
export function recordOf(lived: Lived): Rehearsal {
  const { options, startedAt, happened, day, payments, hanging, app, isEndedEarly } = lived;
  const { minutes, terminals, seed, trouble } = options;
  const since = (at: number) => (at - startedAt) / 1_000;
  const times = timesOf(day, since);
  const { beside } = app;
  const isJudged = day.moving === undefined || !isEndedEarly;
  const unproven = whyUnproven(lived);
  return {
    version: 1,
    startedAt: new Date(startedAt).toISOString(),
    wanted: { minutes, terminals, seed, trouble: [...trouble] },
    app: { version: app.version, ...(beside !== undefined && { beside }), node: process.version },
    seconds: day.seconds.faults,
    quietAfter: day.moving === undefined ? day.seconds.untilQuiet : null,
    isEndedEarly,
    ...(unproven !== undefined && { unproven }),
    broken: isJudged ? allBroken(lived) : [...day.mistakes],
    troubles: happened.map((one) => ({
      name: one.trouble,
      from: one.begins,
      to: one.ends,
      events: [...one.events],
      ...phasesOf(
        one.trouble === "hanging-partner" ? times.filter(({ partnerID }) => !hanging.has(partnerID)) : times,
        one,
      ),
    })),
    over: overTime(times, day.seconds.faults),
    states: countedBy(payments.map(({ status }) => status)),
    webhooks: day.evidence.webhooks.length,
    ...(isJudged && { money: moneyOf(payments, day.evidence) }),
    closings: { currency: CURRENCY, days: day.evidence.closedDays.map(closingOf) },
    alerts: day.alerts.map((alert) => alertOf(alert, since)),
    figures: { ...day.figures },
  };
}

function timesOf(
  { evidence }: EndedDay,
  since: (at: number) => number,
): readonly (PaymentTimes & Pick<Promised, "partnerID">)[] {
  const outcomes = new Map<string, number>();
  for (const { at, event } of evidence.webhooks) {
    const { status } = event.data;
    const sessionID = "sessionID" in event.data ? event.data.sessionID : undefined;
    if (sessionID !== undefined && over.includes(status) && !outcomes.has(sessionID))
      outcomes.set(sessionID, since(at));
  }
  return evidence.promised.map(({ sessionID, partnerID, requestedAt, acknowledgedAt, tries }) => ({
    partnerID,
    requestedAt: since(requestedAt),
    acknowledgedAt: since(acknowledgedAt),
    outcomeAt: outcomes.get(sessionID),
    tries,
  }));
}

/** Why the run proves nothing; undefined where it proves something. */
function whyUnproven({ day, happened, isEndedEarly }: Lived): string | undefined {
  if (day.evidence.promised.length === 0) return "No payment was made.";
  if (isEndedEarly && day.moving !== undefined)
    return `It was ended early, before the last payments had come to their end (${day.moving}).`;
  return happened.length === 0 ? "It was ended before anything went wrong." : undefined;
}

const allBroken = ({ day, timesLeft }: Lived): string[] => [
  ...(day.moving === undefined ? [] : [`the platform did not come to rest: ${day.moving}`]),
  ...day.mistakes,
  ...(timesLeft === 0 ? [] : [`${timesLeft} times what one version wrote was left to the other`]),
  ...day.violations,
];

function alertOf(
  { alert, status, firstAt, sessionID, pointOfServiceID, about }: ShownAlert,
  since: (at: number) => number,
): Rehearsal["alerts"][number] {
  const subject = sessionID ?? pointOfServiceID ?? "platform";
  return { kind: alert, at: since(Date.parse(firstAt)), status, subject, ...(about !== undefined && { about }) };
}

const closingOf = ({ terminalId, day, said, shown }: ClosedDay): Rehearsal["closings"]["days"][number] => ({
  terminal: terminalId,
  day,
  status: shown.status === "closed" ? "closed" : "differs",
  byTerminal: netOf(said.totals),
  inBooks: netOf(shown.bookedTotals),
});

/** Minor units that a day left with the merchant. */
const netOf = (totals: readonly MajorTotals[]): number =>
  totals.reduce(
    (sum, { captured, reversed, refunded }) => sum + minor(captured) - minor(reversed) - minor(refunded),
    0,
  );

const countedBy = (words: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
