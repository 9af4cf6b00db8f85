import type { PlaceView } from "./registered.ts";
import type { OutcomeView } from "./resolve.ts";

export interface AlertView {
  readonly id: string;
  readonly kind: string;
  readonly about?: string;
  readonly sessionId?: string;
  readonly partnerId?: string;
  /** The terminal of the alert's payment or day, while it is registered. */
  readonly place?: PlaceView;
  /** The terminal's day that the alert is about. */
  readonly terminalId?: string;
  readonly day?: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly detail?: string;
  readonly means: string;
  readonly toDo: string;
  /** The current state of its cause. */
  readonly standing?: string;
  /** Nothing is left to do except to close it. */
  readonly isOver: boolean;
  /** The outcomes that an operator can record. */
  readonly outcomes: readonly OutcomeView[];
}

/** `GET /runbook`: the runbook's entries about alerts, by kind, and about dead letters, by queue. */
export interface RunbookView {
  readonly alerts: Readonly<Record<string, RunbookEntry>>;
  readonly deadLetters: Readonly<Record<string, RunbookEntry>>;
}

/** Sentences with commands and names between backticks. */
export interface RunbookEntry {
  /** Its meaning for the customer's money. */
  readonly money: string;
  readonly lookAt?: string;
  readonly toDo?: string;
}
