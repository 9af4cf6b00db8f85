import { randomUUID } from "node:crypto";
import { approvedAmount, scriptFor, type Script } from "./scripts.ts";
import type { TerminalMessage } from "./terminal-client.ts";

/** What a terminal reports in answer to a message. */
export type Answer = readonly [type: string, more?: Record<string, unknown>];

/** What the autopilot remembers of a session, as hardware must: how it ended, and which authorisation it got. */
export interface Session {
  readonly script: Script;
  readonly currency: string;
  /** What the card would be charged: discounts lower it. */
  total: number;
  /** How it ended: every later question has the same answer. */
  ending: Answer | undefined;
  aborted: boolean;
}

export function newSession({ totalAmountInclVat: total = 0, currency = "" }: TerminalMessage): Session {
  return { script: scriptFor(total, currency), currency, total, ending: undefined, aborted: false };
}

/** How the session ends once the customer has had time to pay; `allowed` is false where the partner refused the payment. */
export function endingOf(session: Session, allowed: boolean): Answer {
  const { script, aborted } = session;
  if (aborted && !script.winsRace) return ["cancelled", { detail: script.detail }];
  const result = allowed ? script.outcome : "declined";
  return [result, result === "authorized" ? approvalOf(session) : { detail: script.detail }];
}

function approvalOf({ script, total, currency }: Session) {
  const amount = approvedAmount(script, total, currency);
  return {
    amount,
    currency,
    card: { brand: "visa", last4: "4242", entryMode: "contactless" },
    acquirer: { authorisationCode: randomUUID().slice(0, 6).toUpperCase(), rrn: String(Date.now()) },
    receipt: { customer: ["Thank you", `${currency} ${amount}`], merchant: [`${currency} ${amount}`] },
  };
}
