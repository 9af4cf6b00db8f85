import type { OutcomeView } from "./resolve.ts";

export interface AlertView {
  readonly id: string;
  readonly kind: string;
  readonly about?: string;
  readonly sessionId?: string;
  readonly partnerId?: string;
  /** The terminal's day that the alert is about. */
  readonly terminalId?: string;
  readonly day?: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly detail?: string;
  readonly means: string;
  readonly toDo: string;
  /** How its cause stands now. */
  readonly standing?: string;
  /** Nothing is to be done but to close it. */
  readonly isOver: boolean;
  /** The outcomes that an operator can record. */
  readonly outcomes: readonly OutcomeView[];
}

/** `GET /runbook`: what the runbook adds to an alert, by its kind, and says of dead letters, by their queue. */
export interface RunbookView {
  readonly alerts: Readonly<Record<string, RunbookEntry>>;
  readonly deadLetters: Readonly<Record<string, RunbookEntry>>;
}

/** Sentences in which commands and names stand between backticks. */
export interface RunbookEntry {
  /** What it means for the customer's money. */
  readonly money: string;
  readonly lookAt?: string;
  readonly toDo?: string;
}
