/** A duty of a terminal. */
export interface Rule {
  /** The heading of docs/terminals.md under which it stands. */
  readonly under: "Connection" | "Messages" | "Payments" | "Money" | "Power and memory" | "Business days";
  readonly name: string;
  /** One or two sentences for the maker of a terminal. */
  readonly says: string;
}

/** The duties of a terminal, by their numbers. docs/terminals.md shows them, and the kit's report names the ones that are broken. */
export const rules = {
  T1: {
    under: "Connection",
    name: "start first",
    says: "After each power-up the first call is the report `started`, sent until it is answered; then `next-message` is polled. `memory: kept` only where nothing of the table *What must survive* is missing; else `lost`; a new terminal says `lost`.",
  },
  T2: {
    under: "Connection",
    name: "keep polling",
    says: "One poll at a time, `wait=55`, the next one at once; `received` names the last message that arrived. A poll without a response is given up 15 s after its wait. After an error wait half a second, then up to 10 s.",
  },
  T3: {
    under: "Connection",
    name: "report until answered",
    says: "No response, 401, 408, 429 and 5xx: the same report again, under the same `reportID` with the same body, after `Retry-After` or 0.1 s doubling to 10 s; later reports of the session wait. Any other status is final.",
  },
  T4: {
    under: "Connection",
    name: "write well-formed reports",
    says: "Bodies are as in the document: UUIDs, amounts as numbers in the currency's major unit with no more decimals than it has. `messageID` names the message that caused the report. A refused report (400, 404, 413, 415, 422) is a mistake of the terminal: correct it and report under a new `reportID`.",
  },
  T5: {
    under: "Messages",
    name: "obey a message once",
    says: "A `messageID` that arrives again gets the same reports under the same `reportID`s, also after a power cut; where another message ended the payment, that end too. Nothing is charged, captured, voided or refunded again.",
  },
  T6: {
    under: "Messages",
    name: "tolerate what is new",
    says: "Ignore members that you do not know. Acknowledge a message of an unknown `type` (`acknowledged`) and go on polling.",
  },
  T7: {
    under: "Messages",
    name: "answer a status query",
    says: "Report how the payment stands: `stillRunning` before its end; else its end, `captured` or `voided`, with the same `chargeID` as before; `notStarted` where it was never begun. A charge that is not given back is told before an end without one. Of a payment that was fetched and not accepted yet: `stillRunning` where it is still begun, else `notStarted` ([T10](#payments)). With a `refundID`: `refunded`, or `refundFailed` where it was not made.",
  },
  T8: {
    under: "Payments",
    name: "begin a session once",
    says: "A payment is begun by `accepted`, within 30 s. Another message that requests the same `sessionID`, in any case of its letters, gets how it stands.",
  },
  T9: {
    under: "Payments",
    name: "do not begin too late",
    says: "`expiresInMs` counts from the message's arrival on a monotonic clock. After it the answer is `notStarted`. A payment that was fetched before a power cut and not begun is begun only where it is handed out again.",
  },
  T10: {
    under: "Payments",
    name: "do not begin what was refused",
    says: "A session that was reported as `notStarted`, or cancelled before it began, is never begun, however late its payment arrives. The answer is `notStarted`.",
  },
  T11: {
    under: "Payments",
    name: "end every payment",
    says: "Each accepted payment gets one end: `authorized`, `declined`, `cancelled` or `failed`. Nothing but a card that was charged is `authorized`.",
  },
  T12: {
    under: "Payments",
    name: "cancel",
    says: "A cancel ends the payment as `cancelled` where no card was charged, as `authorized` where the card was first. After the end the answer is that end; for a session that was never begun `notStarted`.",
  },
  T13: {
    under: "Payments",
    name: "apply a discount",
    says: "Before the end the card is charged the message's `totalAmountInclVat`, and the answer is `discountApplied`; after it `discountRefused`. Both name the `discountID`.",
  },
  T14: {
    under: "Payments",
    name: "ask the partner",
    says: "An action request has an `actionRequestID` of the terminal's, is sent until its 202, and is sent again with `withdraw: true` when the payment ends before its answer. Its `actionAnswer` message is `acknowledged` with that `actionRequestID`, and obeyed.",
  },
  T15: {
    under: "Money",
    name: "name each charge",
    says: "Each charge of a card has a new `chargeID`, stored before the card is charged, and is reported as `authorized` with it and the charged amount and currency: also a second card, and one after the end. The same charge never has another.",
  },
  T16: {
    under: "Money",
    name: "capture the named charge once",
    says: "The answer is `captured` with `chargeID`, `amount` and `currency`, or `captureFailed`. Another message that requests it again gets what was captured.",
  },
  T17: {
    under: "Money",
    name: "void the named charge",
    says: "The charge of the message's `chargeID` is given back and no other: `voided`, or `voidFailed`. A charge that was given back before is `voided` again, and no money moves.",
  },
  T18: {
    under: "Money",
    name: "refund once",
    says: "One `refundID` moves money once, whichever message requests it: `refunded` with `refundID`, `amount` and `currency`, or `refundFailed`. Every later request has the first answer.",
  },
  T19: {
    under: "Power and memory",
    name: "keep unanswered reports",
    says: "A report is stored before it is sent and kept until it is answered. After a power cut it is sent under its old `reportID`.",
  },
  T20: {
    under: "Power and memory",
    name: "end what the power cut",
    says: "A payment that waited for a card is reported as `failed` or `cancelled` after the start; one whose card was charged as `authorized`, with the `chargeID` of that charge.",
  },
  T21: {
    under: "Power and memory",
    name: "admit a lost memory",
    says: "A terminal that forgot reports `started` with `memory: lost`, and never invents an outcome: of a session that it does not know it reports `notStarted`, of a charge or refund that it does not know the failure.",
  },
  T22: {
    under: "Business days",
    name: "name the business day",
    says: "Each report that money moved (`authorized`, `captured`, `voided`, `refunded`) has the `businessDay` on which it moved, also where the report is late.",
  },
  T23: {
    under: "Business days",
    name: "close each day",
    says: "A day is closed by its totals, also one on which nothing was moved, behind its reports. No response, 401, 408, 429 and 5xx: the same closing again as in T3, under the same `closingID` with the same body. Corrected totals are those of the whole day, under another `closingID`.",
  },
} as const satisfies Readonly<Record<string, Rule>>;
export type RuleNumber = keyof typeof rules;

/** The rows of one heading of docs/terminals.md. */
export const ruleTable = (under: Rule["under"]): string =>
  [
    "| | rule | |",
    "|---|---|---|",
    ...Object.entries<Rule>(rules)
      .filter(([, rule]) => rule.under === under)
      .map(([number, { name, says }]) => `| ${number} | ${name} | ${says} |`),
  ].join("\n");

/** Where the rule stands, for a report. */
export const placeOf = (number: RuleNumber): string =>
  `docs/terminals.md#${rules[number].under.toLowerCase().replaceAll(" ", "-")}`;
