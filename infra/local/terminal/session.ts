import { randomUUID } from "node:crypto";
import { approvedAmount, scriptFor, type Script } from "./scripts.ts";
import type { TerminalMessage } from "./terminal-client.ts";

/** A terminal's report that answers a message. */
export type Answer = readonly [type: string, more?: Record<string, unknown>];

/** A charge of a card, as hardware must store it. */
export interface CardCharge {
  readonly chargeID: string;
  readonly amount: number;
  readonly currency: string;
  /** The captured amount; undefined where no capture was requested. */
  captured: number | undefined;
  isVoided: boolean;
  /** The number of its voids that have failed. */
  failedVoids: number;
}

/** What the autopilot stores of a session: its ending, the cards that it charged, and the amounts that it gave back. */
export interface Session {
  /** The message that requested the payment. */
  readonly message: TerminalMessage;
  readonly script: Script;
  readonly currency: string;
  /** The amount that the card would be charged. Discounts lower it. */
  total: number;
  /** The session's ending: every later status query has the same answer. */
  ending: Answer | undefined;
  aborted: boolean;
  readonly charges: CardCharge[];
  /** The result of each refund, by its identifier. */
  readonly refunds: Map<string, Answer>;
}

export function newSession(message: TerminalMessage): Session {
  const { totalAmountInclVat: total = 0, currency = "" } = message;
  const script = scriptFor(total, currency);
  return { message, script, currency, total, ending: undefined, aborted: false, charges: [], refunds: new Map() };
}

/** The session's ending after the customer had time to pay; `allowed` is false where the partner refused the payment. */
export function endingOf(session: Session, allowed: boolean): Answer {
  const { script, aborted } = session;
  if (aborted && !script.winsRace) return ["cancelled", { detail: script.detail }];
  const result = allowed ? script.outcome : "declined";
  return result === "authorized" ? approval(session) : [result, { detail: script.detail }];
}

/** Charges a card, and returns the report of it. */
export function approval(session: Session): Answer {
  const { script, total, currency } = session;
  const amount = approvedAmount(script, total, currency);
  const chargeID = randomUUID();
  session.charges.push({ chargeID, amount, currency, captured: undefined, isVoided: false, failedVoids: 0 });
  const report = {
    chargeID,
    amount,
    currency,
    card: { brand: "visa", last4: "4242", entryMode: "contactless" },
    acquirer: { authorisationCode: randomUUID().slice(0, 6).toUpperCase(), rrn: randomUUID().slice(0, 12) },
    receipt: { customer: ["Thank you", `${currency} ${amount}`], merchant: [`${currency} ${amount}`] },
  };
  return ["authorized", report];
}
