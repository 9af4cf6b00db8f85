import { setTimeout as sleep } from "node:timers/promises";
import type { TerminalDayObject } from "../../shared/contracts/objects/terminal-day.ts";
import type { Lie } from "../../packages/terminal/simulated/business-day.ts";
import type { DayClosing, MajorTotals } from "../../packages/terminal/simulated/terminal-client.ts";
import type { partnerOn } from "../support/partner.ts";
import { LONG, waitFor } from "../support/wait-for.ts";
import type { Files, Line } from "./books.ts";
import { CURRENCY, minor } from "./cards.ts";
import type { ShownAlert } from "./operator-judgements.ts";
import type { ChaosTerminal } from "./terminal.ts";

// The terminals' closings of their business days, compared with the accountants' files.

/** A terminal's business day after the terminal closed it and the platform compared it. */
export interface ClosedDay {
  readonly terminalId: string;
  readonly day: string;
  /** The last closing that the terminal sent. */
  readonly said: DayClosing;
  /** How it counted wrongly on purpose; undefined if the closing matches what the terminal remembers. */
  readonly lie: Lie | undefined;
  /** The day as its partner reads it. */
  readonly shown: TerminalDayObject;
}

/** Lets a terminal close each of its days, including days that it closed before, and waits until the platform has a result. */
export async function closeDays(
  { send }: Pick<ReturnType<typeof partnerOn>, "send">,
  terminalId: string,
  terminal: ChaosTerminal,
): Promise<readonly ClosedDay[]> {
  const sent = await terminal.closeDays();
  return Promise.all(
    sent.map(async ({ said, lie }): Promise<ClosedDay> => {
      const day = said.businessDay;
      const path = `/pointOfServices/${terminalId}/days/${day}`;
      const { body: shown } = await waitFor(
        `a comparison of ${day} of ${terminalId}`,
        () => send<TerminalDayObject>("GET", path),
        {
          ...LONG,
          until: ({ status, body }) => status === 200 && body.closingID === said.closingID && hasResult(body),
        },
      );
      return { terminalId, day, said, lie, shown };
    }),
  );
}

const hasResult = ({ status }: TerminalDayObject): boolean => status === "closed" || status === "differs";

const ALERTED_WITHIN_MS = 20_000;

/** The alerts, once each day that differs has an alert or a generous wait is over. */
export async function alertsAfter(
  days: readonly ClosedDay[],
  allAlerts: () => Promise<readonly ShownAlert[]>,
): Promise<readonly ShownAlert[]> {
  const until = performance.now() + ALERTED_WITHIN_MS;
  const differing = days.filter(({ shown }) => shown.status === "differs");
  for (;;) {
    const alerts = await allAlerts();
    if (differing.every((one) => isAlerted(one, alerts)) || performance.now() > until) return alerts;
    await sleep(500);
  }
}

const isAlerted = ({ terminalId, day }: ClosedDay, alerts: readonly ShownAlert[]): boolean =>
  alerts.some((alert) => alert.alert === "dayDiffers" && alert.pointOfServiceID === terminalId && alert.day === day);

/** The sums of a day: charges less reversals, and refunds, in minor units. */
interface Net {
  readonly charges: number;
  readonly charged: number;
  readonly refunds: number;
  readonly refunded: number;
}

const nothing: MajorTotals = {
  currency: CURRENCY,
  captures: 0,
  captured: 0,
  refunds: 0,
  refunded: 0,
  reversals: 0,
  reversed: 0,
};

function netSaid({ totals }: DayClosing): Net {
  const { captures, captured, reversals, reversed, refunds, refunded } =
    totals.find(({ currency }) => currency === CURRENCY) ?? nothing;
  return {
    charges: captures - reversals,
    charged: minor(captured) - minor(reversed),
    refunds,
    refunded: minor(refunded),
  };
}

function netOf(lines: readonly Line[]): Net {
  const of = (kind: Line["kind"]) => lines.filter((line) => line.kind === kind);
  const sum = (kind: Line["kind"]) => of(kind).reduce((total, { amount }) => total + minor(amount), 0);
  return {
    charges: of("capture").length - of("reversal").length,
    charged: sum("capture") - sum("reversal"),
    refunds: of("refund").length,
    refunded: sum("refund"),
  };
}

/** The records that a day is compared with. */
export interface DayEvidence {
  readonly files: Files;
  readonly alerts: readonly ShownAlert[];
  /** No operator moved money of the terminal's payments, all of them are booked, and the terminal fulfils its duties. */
  readonly isPlain: boolean;
}

/**
 * A day is closed if and only if the terminal's totals are the sums of its lines in the files. A day that differs raises an alert. A
 * terminal that counts correctly and lost nothing has no day that differs.
 */
export function dayOf(one: ClosedDay, evidence: DayEvidence): string[] {
  const { terminalId, day, said, lie, shown } = one;
  const lines = evidence.files
    .flatMap(({ bookings }) => bookings)
    .filter((line) => line.pointOfServiceID === terminalId && line.businessDay === day && line.kind !== "correction");
  const [counted, inFiles] = [JSON.stringify(netSaid(said)), JSON.stringify(netOf(lines))];
  const named = `(${day} of terminal ${terminalId})`;
  const isLastBooked =
    said.lastChargeID === undefined ||
    lines.some(({ kind, chargeID }) => kind === "capture" && chargeID === said.lastChargeID?.toLowerCase());
  const isEqual = counted === inFiles;
  if (shown.status === "closed") return isEqual ? [] : [`closed with ${counted}, and ${inFiles} in the files ${named}`];
  return [
    ...(isEqual && isLastBooked ? [`differs, though the files say the same: ${inFiles} ${named}`] : []),
    ...(isAlerted(one, evidence.alerts) ? [] : [`differs, and no operator was called ${named}`]),
    ...(evidence.isPlain && lie === undefined
      ? [`differs for a terminal that counts truly: ${counted}, and ${inFiles} in the files ${named}`]
      : []),
  ];
}
