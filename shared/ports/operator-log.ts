import type { AlertKind } from "../domain/alert.ts";
import type { QueueName } from "../domain/effects.ts";

/**
 * An alert that was raised, as the log shows it. It holds names only: no free text of a terminal, and nothing of a card. The alert's
 * subject decides which members are present.
 */
export interface RaisedLine {
  readonly alert: AlertKind;
  readonly partnerId?: string;
  readonly sessionId?: string;
  readonly terminalId?: string;
  /** In UTC, `2026-11-21`. */
  readonly day?: string;
  readonly about: string | undefined;
  /** The sequence, in the payment's history, of the change that raised it. */
  readonly sequence?: number;
  /** The cause, where no change of a payment raised it. */
  readonly cause?: string;
}

/** A message that a worker failed to carry out because of an error in the platform itself. It is tried again. */
export interface FailedLine {
  readonly queue: QueueName;
  readonly commandId: string;
  readonly effect: string;
  /** Failed tries so far, this one included. */
  readonly tries: number;
  readonly error: string;
}

/** A part that the platform can do without, at a lower speed: nothing is lost, and no operator is called. */
export interface ImpairedLine {
  readonly part: "bells" | "traces";
  /** Failures since the previous line. */
  readonly failures: number;
  /** The latest failure. */
  readonly error: string;
}

/** A webhook or a mail that is not tried again although its receiver did not take it. */
export type GivenUpLine = GivenUpWebhook | GivenUpMail;

interface GivenUpWebhook {
  readonly what: "webhook";
  readonly partnerId: string;
  /** `<sessionId>_<sequence>`, or the same of an action request. */
  readonly eventId: string;
  readonly type: string;
  readonly attempts: number;
  /** How the last attempt ended. */
  readonly outcome: string;
  readonly status: number | undefined;
}

/** It names no customer: the address is erased. */
interface GivenUpMail {
  readonly what: "mail";
  readonly landingPageId: string;
  readonly requestId: string;
  readonly attempts: number;
  /** The mail server's code, or the connection's. */
  readonly reason: string;
}

/** The log that operators watch. */
export interface OperatorLog {
  raised(line: RaisedLine): void;
  failed(line: FailedLine): void;
  impaired(line: ImpairedLine): void;
  /** Written at least once. */
  gaveUp(line: GivenUpLine): void;
}
