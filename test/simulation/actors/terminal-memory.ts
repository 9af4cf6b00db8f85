import type { ReportType } from "../../../shared/domain/payment/events.ts";
import type { Report } from "../../../shared/domain/payment/report.ts";
import type { TerminalMessage } from "../../../shared/domain/terminal-message.ts";

/** A message as the terminal has it, good for so long on the terminal's own clock. */
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
/** How something ended, with the facts that are told with it every time. */
export interface Told {
  readonly type: ReportType;
  readonly facts: Facts;
}

/** A charge as the terminal keeps it, by the name that it gave it. Minor units. */
export interface MadeCharge {
  readonly chargeId: string;
  readonly amount: number;
  readonly currency: string;
  /** So many tries to void it fail at the acquirer, one after the other. */
  voidsToFail: number;
  isVoided: boolean;
}

/** A payment that was begun. */
export interface Run {
  /** What the card is to be charged: discounts lower it. Minor units. */
  total: number;
  /** A card is in: from here on it cannot be stopped. */
  cardIn: boolean;
  abort(): void;
  /** The first one is what the payment is about. */
  readonly charges: MadeCharge[];
  /** Undefined while it runs; afterwards how the payment stands. */
  latest: Told | undefined;
  /** However it ended, the terminal says that it runs. */
  isStuck: boolean;
  readonly refunds: Map<string, Told>;
  /** It has told of a failure without naming the message that failed: the platform may take a later try for failed, and ask again. */
  isMisunderstood: boolean;
}

export const newRun = (total: number): Run => ({
  total,
  cardIn: false,
  abort: () => {},
  charges: [],
  latest: undefined,
  isStuck: false,
  refunds: new Map(),
  isMisunderstood: false,
});

/** What a terminal says of a session, that it has the answer to a question of its own, or that it started anew. */
export type OutgoingReport =
  | { readonly sessionId: string; readonly report: Report }
  | { readonly answerOf: string }
  | { readonly startedAs: string; readonly memory: "kept" | "lost" };

/** What a terminal keeps through a restart, as exactly-once demands of it. One with a flaw loses it all. */
export interface TerminalMemory {
  readonly runs: Map<string, Run>;
  /** Sessions that it was to cancel, or said that it had not started: it never begins them. */
  readonly refused: Set<string>;
  /** The payment message of each session that it got. */
  readonly begun: Map<string, string>;
  /** What each message was answered with: a repeated message gets the same again. */
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

/** Empties a memory, and names the sessions that were in it. */
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
