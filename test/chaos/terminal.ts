import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { startAutopilot } from "../../infra/local/terminal/autopilot.ts";
import { emptyMemory } from "../../infra/local/terminal/memory.ts";
import {
  isAnswered,
  type TerminalClient,
  type TerminalMessage,
  type TerminalReport,
} from "../../infra/local/terminal/terminal-client.ts";
import type { Random } from "../support/seeded-random.ts";

/** What moved money on a card, in the order in which it happened; a terminal's journal, or the acquirer's. */
export interface TerminalAction {
  readonly sessionID: string;
  /** The message that was obeyed; undefined where the acquirer did it. */
  readonly messageID: string | undefined;
  readonly asked: string;
  readonly told: string;
  readonly chargeID: string | undefined;
  readonly refundID: string | undefined;
  /** In the currency's major unit. */
  readonly amount: number | undefined;
  /** The card is charged and captured at once. */
  readonly isCaptured: boolean;
}

/** What an imperfect terminal may do, and how likely it does at each occasion; each has about half of these flaws. */
const likelihood = {
  "loses its memory with the power": 0.5,
  "is silent for a while": 0.1,
  "leaves out which message it answers": 0.5,
  "spells identifiers in capitals": 0.5,
  "reports out of order": 0.15,
  "tells a charge again in other words": 0.3,
} as const;
type Flaw = keyof typeof likelihood;

export interface ChaosTerminal {
  readonly isPerfect: boolean;
  /** Charges of which it lost its memory before anybody heard of them. */
  readonly forgotten: ReadonlySet<string>;
  /** From now on its power stays on, and it does nothing wrong by chance. */
  calm(): Promise<void>;
  stop(): Promise<void>;
}

interface Circumstances {
  readonly random: Random;
  readonly isPerfect: boolean;
  readonly journal: (action: TerminalAction) => void;
  readonly count: (what: string) => void;
}

/**
 * An autopilot whose power is cut now and then. A perfect one keeps its memory; an imperfect one may lose it, and speaks to the platform
 * in ways that it should not.
 */
export function startTerminal(client: TerminalClient, circumstances: Circumstances): ChaosTerminal {
  const { random, isPerfect, journal, count } = circumstances;
  const flaws = new Set(isPerfect ? [] : Object.keys(likelihood).filter(() => random.chance(0.5)));
  const calming = new AbortController();
  const told = new Set<string>();
  const untold = new Set<string>();
  const forgotten = new Set<string>();
  let memory = emptyMemory();
  let silentUntil = 0;

  function happens(flaw: Flaw): boolean {
    const does = flaws.has(flaw) && !calming.signal.aborted && random.chance(likelihood[flaw]);
    if (does) count(`terminal ${flaw}`);
    return does;
  }

  /** Sends it, and knows afterwards whether a charge was heard of. */
  async function send(report: TerminalReport, traceparent?: string): Promise<number> {
    await audible();
    const status = await client.report(report, traceparent);
    const chargeID = report.chargeID?.toLowerCase();
    if (report.type === "authorized" && chargeID !== undefined && status < 300) {
      told.add(chargeID);
      untold.delete(chargeID);
    }
    return status;
  }

  async function audible(signal?: AbortSignal): Promise<void> {
    if (happens("is silent for a while")) silentUntil = performance.now() + random.realBetween(1_000, 15_000);
    const left = silentUntil - performance.now();
    if (left > 0) await sleep(left, undefined, { signal });
  }

  /** Overtaken by what it reports meanwhile; lost with the memory. */
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
        return 202; // it lies to itself: others go first
      }
      const status = await send(spelled(report), traceparent);
      if (status < 300 && report.type === "authorized" && happens("tells a charge again in other words"))
        await send(inOtherWords(report), traceparent).catch(() => 503);
      return status;
    },
    raiseActionRequest: (ask) => client.raiseActionRequest(ask),
  };

  function spelled(report: TerminalReport): TerminalReport {
    const messageID = happens("leaves out which message it answers") ? undefined : report.messageID;
    return happens("spells identifiers in capitals") ? inCapitals({ ...report, messageID }) : { ...report, messageID };
  }

  /** The same card was charged once, whatever this says. */
  function inOtherWords(report: TerminalReport): TerminalReport {
    const again = { ...report, reportID: randomUUID(), card: { brand: "mastercard", last4: "5454" } };
    const amount = report.amount === undefined ? {} : { amount: report.amount + 1 };
    return { ...again, ...random.pick<Partial<TerminalReport>>({}, amount, { chargeID: randomUUID() }) };
  }

  const powerOn = () =>
    startAutopilot(flawed, {
      paceMs: 30,
      memory,
      journal(message, report) {
        const action = deedOf(message, report);
        if (action.told === "authorized" && action.chargeID !== undefined && !told.has(action.chargeID))
          untold.add(action.chargeID);
        journal(action);
      },
    });

  let autopilot = powerOn();
  async function cutPower(): Promise<void> {
    await autopilot.stop();
    if (happens("loses its memory with the power")) {
      memory = emptyMemory();
      for (const chargeID of untold) forgotten.add(chargeID);
    } else count("power cuts of terminals, memory kept");
    await sleep(random.realBetween(50, 3_000));
    autopilot = powerOn();
  }

  const powering = (async () => {
    while (!calming.signal.aborted) {
      await sleep(random.realBetween(8_000, 40_000), undefined, { signal: calming.signal }).catch(() => {});
      if (!calming.signal.aborted) await cutPower();
    }
  })();
  return {
    isPerfect,
    forgotten,
    async calm() {
      calming.abort();
      await powering;
    },
    stop: () => autopilot.stop(),
  };
}

function deedOf(
  { sessionID = "", messageID, type: asked, captureMode }: TerminalMessage,
  report: TerminalReport,
): TerminalAction {
  const { type: told, chargeID, refundID, amount } = report;
  return { sessionID, messageID, asked, told, chargeID, refundID, amount, isCaptured: captureMode === "automatic" };
}

function inCapitals(report: TerminalReport): TerminalReport {
  const spelled = ["sessionID", "messageID", "chargeID", "refundID"].flatMap((name) => {
    const id = report[name];
    return typeof id === "string" ? [[name, id.toUpperCase()]] : [];
  });
  return { ...report, ...(Object.fromEntries(spelled) as Partial<TerminalReport>) };
}
