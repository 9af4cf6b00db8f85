import type { AlertKind } from "../domain/alert.ts";
import type { QueueName } from "../domain/effects.ts";

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

/** A message at which a worker failed by a mistake of ours, and that is tried again. */
export interface FailedLine {
  readonly queue: QueueName;
  readonly commandId: string;
  readonly effect: string;
  /** In vain so far, this one included. */
  readonly tries: number;
  readonly error: string;
}

/** Something that the platform does without, only slower: nothing is lost, and nobody is called. */
export interface ImpairedLine {
  readonly part: "bells";
  /** Since the line before. */
  readonly failures: number;
  /** The last of them. */
  readonly error: string;
}

/** The log that calls an operator. */
export interface OperatorLog {
  raised(line: RaisedLine): void;
  failed(line: FailedLine): void;
  impaired(line: ImpairedLine): void;
}
