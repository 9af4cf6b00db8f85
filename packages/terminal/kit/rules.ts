/** A duty of a terminal. */
export interface Rule {
  /** Its heading in docs/terminals.md. */
  readonly under: "Connection" | "Messages" | "Payments" | "Money" | "Power and memory" | "Business days";
  readonly name: string;
  /** One or two sentences for the maker of a terminal. */
  readonly says: string;
}

/** The duties of a terminal, by number. docs/terminals.md lists them, and the kit's report names the broken ones. */
export const rules = {
  T1: {
    under: "Connection",
    name: "start first",
    says: "After each power-up the first call is the report `started`. Repeat it until it is answered, then poll `next-message`. Say `memory: kept` only if nothing of the table *What must survive* is missing. Otherwise, and on a new terminal, say `lost`.",
  },
  T2: {
    under: "Connection",
    name: "keep polling",
    says: "Poll with `wait=55`, one poll at a time, and poll again at once. `received` names the last message that arrived. Give up a poll 15 s after its wait. After an error, wait `Retry-After`, or a random time up to 0.5 s, doubling to 10 s.",
  },
  T3: {
    under: "Connection",
    name: "report until answered",
    says: "After no response, 401, 408, 429 or 5xx, repeat the same report: the same `reportID`, and the same body except `agoMs`. Wait `Retry-After`, or a random time up to 0.1 s, doubling to 10 s. Later reports of the session wait. Any other status is final.",
  },
  T4: {
    under: "Connection",
    name: "write well-formed reports",
    says: "Bodies follow the document: UUIDs, amounts as numbers in the currency's major unit with no more decimals than it has. Every report of a session has the `messageID` of the message that caused it. Only a named answer ends [the query of a restore](#after-the-platform-was-restored). If a report is rejected (400, 404, 413, 415, 422), correct it and report under a new `reportID`.",
  },
  T5: {
    under: "Messages",
    name: "obey a message once",
    says: "If a `messageID` arrives again, send the same reports under the same `reportID`s, also after a power cut. If another message ended the payment, report that end too. Never charge, capture, void or refund again.",
  },
  T6: {
    under: "Messages",
    name: "tolerate what is new",
    says: "Ignore unknown members. Acknowledge a message of an unknown `type` (`acknowledged`) and continue to poll.",
  },
  T7: {
    under: "Messages",
    name: "answer a status query",
    says: "Report the payment's state: `stillRunning` before its end, then its end, or `captured` or `voided`, with the same `chargeID` as before. If it was never begun, report `notStarted`. If it ended without money but has a charge that was not given back, report the charge. If it was fetched and not accepted, report `stillRunning` if it will still begin, otherwise `notStarted` ([T10](#payments)). With a `refundID`, report `refunded`, or `refundFailed` if the refund was not made.",
  },
  T8: {
    under: "Payments",
    name: "begin a session once",
    says: "A payment begins with `accepted`, within 30 s. If another message requests the same `sessionID`, in upper or lower case, report its state.",
  },
  T9: {
    under: "Payments",
    name: "do not begin too late",
    says: "`expiresInMs` counts from the message's arrival, on a monotonic clock. After that, report `notStarted`. If a payment was fetched before a power cut and not begun, begin it only when it is handed out again.",
  },
  T10: {
    under: "Payments",
    name: "do not begin what was refused",
    says: "Never begin a session that was reported as `notStarted` or cancelled before it began, however late its payment arrives. Report `notStarted`.",
  },
  T11: {
    under: "Payments",
    name: "end every payment",
    says: "Each accepted payment has one end: `authorized`, `declined`, `cancelled` or `failed`. Report `authorized` only if a card was charged.",
  },
  T12: {
    under: "Payments",
    name: "cancel",
    says: "A cancel ends the payment as `cancelled` if no card was charged, and as `authorized` if one was. After the end, report that end. For a session that never began, report `notStarted`.",
  },
  T13: {
    under: "Payments",
    name: "apply a discount",
    says: "Before the end, charge the message's `totalAmountInclVat` and report `discountApplied`. After the end, report `discountRefused`. Both name the `discountID`.",
  },
  T14: {
    under: "Payments",
    name: "ask the partner",
    says: "An action request has an `actionRequestID` of the terminal. Repeat it until its 202. If the payment ends before the answer, send it again with `withdraw: true`. Acknowledge its `actionAnswer` message with that `actionRequestID`, and obey it.",
  },
  T25: {
    under: "Payments",
    name: "say how long ago a card was approved",
    says: "Optional: `agoMs` of `authorized` is the time since the card was approved, by a monotonic clock. Set it anew at each sending, also in an answer to a cancel or query. Leave it out if it is unknown, as after a power cut.",
  },
  T26: {
    under: "Payments",
    name: "ask for a tip",
    says: "Optional: name `tips` in `can`. Then ask before the card, with the choices of the message's `tip`. Charge the amount to pay and the tip, which is at most `maximum`. `authorized` has both in `amount`, and the tip in `tipAmount`, also if it is 0. Without `tip` do not ask. An applied `discount` replaces the question by its own `tip`, or by none.",
  },
  T15: {
    under: "Money",
    name: "name each charge",
    says: "Each charge of a card has a new `chargeID`, stored before the card is charged. Report every charge as `authorized`, with its amount and currency, also a second card and a charge after the end. Never give a charge another `chargeID`.",
  },
  T16: {
    under: "Money",
    name: "capture the named charge once",
    says: "Report `captured` with `chargeID`, `amount` and `currency`, or `captureFailed`. If another message requests the capture again, report what was captured. After a partial capture, release the rest of the authorization at once.",
  },
  T17: {
    under: "Money",
    name: "void the named charge",
    says: "Give back the charge of the message's `chargeID` and no other. Report `voided` or `voidFailed`. If the charge was given back before, report `voided` again; no money moves.",
  },
  T18: {
    under: "Money",
    name: "refund once",
    says: "One `refundID` moves money once, whichever message requests it. Report `refunded` with `refundID`, `amount` and `currency`, or `refundFailed`. Give every later request the first answer, with the same references of the acquirer.",
  },
  T24: {
    under: "Money",
    name: "refund no more than was captured",
    says: "The refunds of a charge never exceed what was captured of it, whichever messages request them. If a new `refundID` requests more than is left, report `refundFailed`; no money moves. Nothing is left of a charge that was given back or never captured. A repeated `refundID` gets its first answer (T18).",
  },
  T19: {
    under: "Power and memory",
    name: "keep unanswered reports",
    says: "Store a report before you send it, and keep it until it is answered. After a power cut, send it under its old `reportID`, without `agoMs`.",
  },
  T20: {
    under: "Power and memory",
    name: "end what the power cut",
    says: "After the start, report a payment that waited for a card as `failed` or `cancelled`. If its card was charged, report `authorized` with the `chargeID` of that charge.",
  },
  T21: {
    under: "Power and memory",
    name: "admit a lost memory",
    says: "A terminal that lost its memory reports `started` with `memory: lost`, and never invents an outcome. For an unknown session it reports `notStarted`, for an unknown charge or refund the failure.",
  },
  T22: {
    under: "Business days",
    name: "name the business day",
    says: "Each report that money moved (`authorized`, `captured`, `voided`, `refunded`) has the `businessDay` on which it moved, even if the report is late.",
  },
  T23: {
    under: "Business days",
    name: "close each day",
    says: "Close every day with its totals, also a day without movements, after the day's reports. After no response, 401, 408, 429 or 5xx, repeat the closing as in T3, under the same `closingID`. Corrected totals are those of the whole day, under another `closingID`.",
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

/** The rule's place in the documentation, for a report. */
export const placeOf = (number: RuleNumber): string =>
  `docs/terminals.md#${rules[number].under.toLowerCase().replaceAll(" ", "-")}`;
