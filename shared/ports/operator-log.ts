import type { AlertKind } from "../domain/alert.ts";

/** An alert that was raised, as the log tells it: names only, no words of a terminal and nothing of a card. */
export interface RaisedLine {
  readonly alert: AlertKind;
  readonly partnerId: string;
  readonly sessionId: string;
  readonly about: string | undefined;
  /** Of the change that raised it, in the payment's history. */
  readonly sequence: number;
}

/** The log that calls an operator. */
export interface OperatorLog {
  raised(line: RaisedLine): void;
}
