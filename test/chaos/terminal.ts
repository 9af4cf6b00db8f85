import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { startAutopilot } from "../../packages/terminal/simulated/autopilot.ts";
import type { Lie } from "../../packages/terminal/simulated/business-day.ts";
import { emptyMemory } from "../../packages/terminal/simulated/memory.ts";
import {
  isAnswered,
  type DayClosing,
  type TerminalClient,
  type TerminalMessage,
  type TerminalReport,
} from "../../packages/terminal/simulated/terminal-client.ts";
import type { Random } from "../support/seeded-random.ts";

/** An action that moved money on a card, from a terminal's or the acquirer's journal. Journals are in order. */
export interface TerminalAction {
  readonly sessionID: string;
  /** The message that was obeyed; undefined for an action of the acquirer. */
  readonly messageID: string | undefined;
  readonly cause: string;
  readonly outcome: string;
  readonly chargeID: string | undefined;
  readonly refundID: string | undefined;
  /** In the currency's major unit. */
  readonly amount: number | undefined;
  /** Whether the card is charged and captured at once. */
  readonly isCaptured: boolean;
  /** The day that the terminal names for it; undefined for an action of the acquirer. */
  readonly businessDay?: string | undefined;
}

/** The flaws of an imperfect terminal, and the probability of each on each occasion. Each terminal has about half of them. */
const likelihood = {
  "loses its memory with the power": 0.5,
  "is silent for a while": 0.1,
  "leaves out which message it answers": 0.5,
  "sends identifiers in capitals": 0.5,
  "reports out of order": 0.15,
  "reports a charge again with other content": 0.3,
  "reports a failure before the success": 0.5,
} as const;
type Flaw = keyof typeof likelihood;
/** The report that its host failed, before its host confirms. */
const failureOf: Readonly<Record<string, string>> = {
  captured: "captureFailed",
  voided: "voidFailed",
  refunded: "refundFailed",
};
/** The share of imperfect terminals that count a charge wrongly on their second day. */
const LIAR = 0.6;

/** The share of power cuts in which captures and refunds wait for longer than an answer may take. */
const LONG_CUT = 0.15;

export interface ChaosTerminal {
  readonly isPerfect: boolean;
  /** Charges that the terminal forgot before it reported them. */
  readonly forgotten: ReadonlySet<string>;
  /** Ends the power cuts and the random flaws. */
  calm(): Promise<void>;
  /** Closes its days in order, each until the platform has accepted the closing. A day that was closed before is closed again. */
  closeDays(): Promise<readonly SentClosing[]>;
  stop(): Promise<void>;
}

/** A closing of a day, and how it is wrong on purpose. */
export interface SentClosing {
  readonly said: DayClosing;
  readonly lie: Lie | undefined;
}

interface Circumstances {
  readonly random: Random;
  /** Its business days. The second one begins a while after its start. */
  readonly days: readonly [string, string];
  /** Milliseconds from its start until its second business day begins. */
  readonly midnightMs: number;
  readonly isPerfect: boolean;
  /** Whether power cuts and flaws may happen. */
  readonly isTroubled: boolean;
  readonly journal: (action: TerminalAction) => void;
  readonly count: (what: string) => void;
}

/**
 * An autopilot whose power is cut at random. A perfect one keeps its memory. An imperfect one may lose it, and violates the platform's
 * rules in its calls.
 */
export function startTerminal(client: TerminalClient, circumstances: Circumstances): ChaosTerminal {
  const { random, isPerfect, isTroubled, days, midnightMs, journal, count } = circumstances;
  const midnight = performance.now() + midnightMs;
  const today = () => days[performance.now() < midnight ? 0 : 1];
  const lie = !isPerfect && random.chance(LIAR) ? random.pick<Lie>("leavesOneOut", "countsOneTwice") : undefined;
  const flaws = new Set(isPerfect ? [] : Object.keys(likelihood).filter(() => random.chance(0.5)));
  const calming = new AbortController();
  const reported = new Set<string>();
  const unreported = new Set<string>();
  const forgotten = new Set<string>();
  let memory = emptyMemory();
  let silentUntil = 0;

  const mayErr = () => !calming.signal.aborted && isTroubled;

  function happens(flaw: Flaw): boolean {
    const does = flaws.has(flaw) && mayErr() && random.chance(likelihood[flaw]);
    if (does) count(`terminal ${flaw}`);
    return does;
  }

  /** Sends a report, and records whether the platform accepted a charge's report. */
  async function send(report: TerminalReport, traceparent?: string): Promise<number> {
    await audible();
    const status = await client.report(report, traceparent);
    const chargeID = report.chargeID?.toLowerCase();
    if (report.type === "authorized" && chargeID !== undefined && status < 300) {
      reported.add(chargeID);
      unreported.delete(chargeID);
    }
    return status;
  }

  async function audible(signal?: AbortSignal): Promise<void> {
    if (happens("is silent for a while")) silentUntil = performance.now() + random.realBetween(1_000, 15_000);
    const left = silentUntil - performance.now();
    if (left > 0) await sleep(left, undefined, { signal });
  }

  /** Sends a report later, so that later reports overtake it. If the terminal loses its memory, the report is lost. */
  async function sendLater(report: TerminalReport, traceparent?: string): Promise<void> {
    const since = memory;
    const isForgotten = () => memory !== since;
    do await sleep(random.realBetween(300, 4_000));
    while (!isForgotten() && !isAnswered(await send(report, traceparent).catch(() => 503)));
  }

  const flawed: TerminalClient = {
    async next(waitSeconds, options) {
      await audible(options?.signal);
      return client.next(waitSeconds, options);
    },
    async report(report, traceparent) {
      if (report.type === "started") return client.report(report);
      if (happens("reports out of order")) {
        void sendLater(report, traceparent);
        return 202; // simulates an acceptance, so that later reports go first
      }
      await reportFailureFirst(report, traceparent);
      const status = await send(malformed(report), traceparent);
      if (status < 300 && report.type === "authorized" && happens("reports a charge again with other content"))
        await send(withOtherContent(report), traceparent).catch(() => 503);
      return status;
    },
    raiseActionRequest: (ask) => client.raiseActionRequest(ask),
    closeDay: (closing) => client.closeDay(closing),
  };

  /** Only a terminal that keeps its memory, because the success must follow. */
  async function reportFailureFirst(report: TerminalReport, traceparent?: string): Promise<void> {
    const type = failureOf[report.type];
    if (type === undefined || flaws.has("loses its memory with the power")) return;
    if (!happens("reports a failure before the success")) return;
    const { amount: _, currency: __, businessDay: ___, ...named } = report;
    await send(malformed({ ...named, type, reportID: randomUUID() }), traceparent).catch(() => 503);
    await sleep(random.realBetween(0, 1_500));
  }

  function malformed(report: TerminalReport): TerminalReport {
    const messageID = happens("leaves out which message it answers") ? undefined : report.messageID;
    return happens("sends identifiers in capitals") ? inCapitals({ ...report, messageID }) : { ...report, messageID };
  }

  /** A second report of the same charge with other content. The card was charged once. */
  function withOtherContent(report: TerminalReport): TerminalReport {
    const again = { ...report, reportID: randomUUID(), card: { brand: "mastercard", last4: "5454" } };
    const amount = report.amount === undefined ? {} : { amount: report.amount + 1 };
    return { ...again, ...random.pick<Partial<TerminalReport>>({}, amount, { chargeID: randomUUID() }) };
  }

  const powerOn = () =>
    startAutopilot(flawed, {
      paceMs: 30,
      memory,
      today,
      journal(message, report) {
        const action = actionOf(message, report);
        if (action.outcome === "authorized" && action.chargeID !== undefined && !reported.has(action.chargeID))
          unreported.add(action.chargeID);
        journal(action);
      },
    });

  let autopilot = powerOn();
  async function cutPower(): Promise<void> {
    await autopilot.stop();
    if (happens("loses its memory with the power")) {
      memory = emptyMemory();
      for (const chargeID of unreported) forgotten.add(chargeID);
    } else count("power cuts of terminals, memory kept");
    const isLong = random.chance(LONG_CUT);
    if (isLong) count("power cuts of terminals, longer than an answer may take");
    await sleep(isLong ? random.realBetween(16_000, 25_000) : random.realBetween(50, 3_000));
    autopilot = powerOn();
  }

  const powering = (async () => {
    while (!calming.signal.aborted) {
      await sleep(random.realBetween(8_000, 40_000), undefined, { signal: calming.signal }).catch(() => {});
      if (mayErr()) await cutPower();
    }
  })();
  return {
    isPerfect,
    forgotten,
    async calm() {
      calming.abort();
      await powering;
    },
    async closeDays() {
      const sent: SentClosing[] = [];
      for (const day of days) {
        const told = day === days[1] ? lie : undefined;
        const status = await autopilot.closeDay(day, told);
        const said = memory.closings.get(day);
        if (status >= 300 || !said) throw new Error(`the closing of ${day} was answered ${status}`);
        sent.push({ said, lie: told });
      }
      return sent;
    },
    stop: () => autopilot.stop(),
  };
}

export function actionOf(
  { sessionID = "", messageID, type: cause, captureMode }: TerminalMessage,
  report: TerminalReport,
): TerminalAction {
  const { type: outcome, chargeID, refundID, amount, businessDay } = report;
  const named = { sessionID, messageID, cause, outcome, chargeID, refundID };
  return {
    ...named,
    amount,
    isCaptured: captureMode === "automatic",
    businessDay,
  };
}

function inCapitals(report: TerminalReport): TerminalReport {
  const identifiers = ["sessionID", "messageID", "chargeID", "refundID"].flatMap((name) => {
    const id = report[name];
    return typeof id === "string" ? [[name, id.toUpperCase()]] : [];
  });
  return { ...report, ...(Object.fromEntries(identifiers) as Partial<TerminalReport>) };
}
