import type { ReportType } from "../../../shared/domain/payment/record/events.ts";
import type { Report } from "../../../shared/domain/payment/record/report.ts";
import type { TipChoices } from "../../../shared/domain/payment/record/tip.ts";
import type { TerminalMessage } from "../../../shared/domain/terminal-message.ts";

/** A message at the terminal. It is valid for this long on the terminal's own clock. */
export interface Arrival {
  readonly messageId: string;
  readonly sessionId: string;
  readonly expiresInMs: number;
  readonly message: TerminalMessage;
}
export type ArrivalOf<Type extends TerminalMessage["type"]> = Arrival & {
  readonly message: Extract<TerminalMessage, { type: Type }>;
};

export type Facts = Omit<Report, "reportId" | "type" | "messageId">;
/** An outcome, with the facts that every report of it contains. */
export interface Outcome {
  readonly type: ReportType;
  readonly facts: Facts;
}

/** A charge in the terminal's memory, by the terminal's own name. Minor units. */
export interface MadeCharge {
  readonly chargeId: string;
  readonly amount: number;
  /** The part of it that the terminal names as tip. */
  readonly tipAmount: number | undefined;
  readonly currency: string;
  /** The business day on which it was made. */
  readonly businessDay: string;
  /** The number of tries to void it that fail at the acquirer, one after the other. */
  voidsToFail: number;
  isVoided: boolean;
}

/** A payment that was begun. */
export interface Run {
  /** The amount to charge; discounts lower it. Minor units. */
  total: number;
  /** The question for a tip on that amount. */
  tip: TipChoices | undefined;
  /** The discounts that lowered it. */
  readonly discountIds: string[];
  /** Whether a card is inserted. From then on the payment cannot be stopped. */
  cardIn: boolean;
  abort(): void;
  /** The first one is the payment's own charge. */
  readonly charges: MadeCharge[];
  /** Undefined while it runs; afterwards the payment's state. */
  latest: Outcome | undefined;
  /** Whether the terminal reports it as running, even after its end. */
  isStuck: boolean;
  readonly refunds: Map<string, Outcome>;
  /**
   * Whether the terminal reported a failure without naming the message that failed. The platform may count a later try as failed, and
   * request it again.
   */
  isMisunderstood: boolean;
}

export const newRun = (total: number, tip: TipChoices | undefined): Run => ({
  total,
  tip,
  discountIds: [],
  cardIn: false,
  abort: () => {},
  charges: [],
  latest: undefined,
  isStuck: false,
  refunds: new Map(),
  isMisunderstood: false,
});

/** A terminal's report about a session, its acknowledgement of an action request's response, or its start. */
export type OutgoingReport =
  | { readonly sessionId: string; readonly report: Report }
  | { readonly answerOf: string }
  | { readonly startedAs: string; readonly memory: "kept" | "lost" };

/** A terminal's persistent memory. It survives a restart, because exactly-once requires that. A flaw loses all of it. */
export interface TerminalMemory {
  readonly runs: Map<string, Run>;
  /** Sessions that the terminal had to cancel, or reported as not started. It never begins them. */
  readonly refused: Set<string>;
  /** The payment message of each session that it received. */
  readonly begun: Map<string, string>;
  /** The reports that answered each message: a repeated message gets the same reports. */
  readonly answers: Map<string, OutgoingReport[]>;
  readonly outbox: OutgoingReport[];
}

export const emptyMemory = (): TerminalMemory => ({
  runs: new Map(),
  refused: new Set(),
  begun: new Map(),
  answers: new Map(),
  outbox: [],
});

/** Empties a memory, and returns the sessions that were in it. */
export function forget({ runs, refused, begun, answers, outbox }: TerminalMemory): string[] {
  const lost = [
    ...runs.keys(),
    ...refused,
    ...begun.keys(),
    ...outbox.flatMap((o) => ("sessionId" in o ? o.sessionId : [])),
  ];
  runs.clear();
  refused.clear();
  begun.clear();
  answers.clear();
  outbox.length = 0;
  return lost;
}
