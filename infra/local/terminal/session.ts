import { randomUUID } from "node:crypto";
import { approvedAmount, scriptFor, type Script } from "./scripts.ts";
import type { TerminalMessage } from "./terminal-client.ts";

/** What a terminal reports in answer to a message. */
export type Answer = readonly [type: string, more?: Record<string, unknown>];

/** A charge of a card, as hardware must remember it. */
export interface CardCharge {
  readonly chargeID: string;
  readonly amount: number;
  readonly currency: string;
  /** What was captured of it; undefined where no capture was requested. */
  captured: number | undefined;
  isVoided: boolean;
  /** Voids of it that have failed. */
  failedVoids: number;
}

/** What the autopilot remembers of a session: how it ended, which cards it charged, and what it gave back. */
export interface Session {
  /** What asked for the payment. */
  readonly message: TerminalMessage;
  readonly script: Script;
  readonly currency: string;
  /** What the card would be charged: discounts lower it. */
  total: number;
  /** How it ended: every later question has the same answer. */
  ending: Answer | undefined;
  aborted: boolean;
  readonly charges: CardCharge[];
  /** What each refund came to, by its identifier. */
  readonly refunds: Map<string, Answer>;
}

export function newSession(message: TerminalMessage): Session {
  const { totalAmountInclVat: total = 0, currency = "" } = message;
  const script = scriptFor(total, currency);
  return { message, script, currency, total, ending: undefined, aborted: false, charges: [], refunds: new Map() };
}

/** How the session ends once the customer has had time to pay; `allowed` is false where the partner refused the payment. */
export function endingOf(session: Session, allowed: boolean): Answer {
  const { script, aborted } = session;
  if (aborted && !script.winsRace) return ["cancelled", { detail: script.detail }];
  const result = allowed ? script.outcome : "declined";
  return result === "authorized" ? approval(session) : [result, { detail: script.detail }];
}

/** Charges a card, and tells of it. */
export function approval(session: Session): Answer {
  const { script, total, currency } = session;
  const amount = approvedAmount(script, total, currency);
  const chargeID = randomUUID();
  session.charges.push({ chargeID, amount, currency, captured: undefined, isVoided: false, failedVoids: 0 });
  const told = {
    chargeID,
    amount,
    currency,
    card: { brand: "visa", last4: "4242", entryMode: "contactless" },
    acquirer: { authorisationCode: randomUUID().slice(0, 6).toUpperCase(), rrn: randomUUID().slice(0, 12) },
    receipt: { customer: ["Thank you", `${currency} ${amount}`], merchant: [`${currency} ${amount}`] },
  };
  return ["authorized", told];
}
