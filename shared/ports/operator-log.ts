import type { AlertKind } from "../domain/alert.ts";

/**
 * An alert that was raised, as the log tells it: names only, no words of a terminal and nothing of a card. Which members it has
 * follows from what the alert is of.
 */
export interface RaisedLine {
  readonly alert: AlertKind;
  readonly partnerId?: string;
  readonly sessionId?: string;
  readonly terminalId?: string;
  /** In UTC, `2026-11-21`. */
  readonly day?: string;
  readonly about: string | undefined;
  /** Of the change that raised it, in the payment's history. */
  readonly sequence?: number;
  /** What raised it, where that is no change of a payment. */
  readonly cause?: string;
}

/** The log that calls an operator. */
export interface OperatorLog {
  raised(line: RaisedLine): void;
}
