import { beforeVoid } from "../../shared/domain/payment/life/before-void.ts";
import { chargeReports, chargeVerdictOf } from "../../shared/domain/payment/reports/charge-verdicts.ts";
import { paymentEvents, reportEvents } from "../../shared/domain/payment/record/events.ts";
import { chargeStates } from "../../shared/domain/payment/record/charge.ts";
import { isFinal, paymentStates, type PaymentState } from "../../shared/domain/payment/record/payment.ts";
import type { Rule } from "../../shared/domain/payment/life/rules.ts";
import { timeouts, type Timeout } from "../../shared/domain/payment/life/timeouts.ts";
import { books, restoringCell } from "../../shared/domain/payment/life/restoring.ts";
import { rulesFor, verdictOf } from "../../shared/domain/payment/life/transitions.ts";
import { dayStates } from "../../shared/domain/terminal-day/terminal-day.ts";
import { dayEvents, dayTransitions } from "../../shared/domain/terminal-day/transitions.ts";
import { refundReports, refundStates, refundVerdictOf } from "../../shared/domain/payment/life/verdicts.ts";

const transitionHeads = [
  "from",
  "event",
  "to",
  "when",
  "enters",
  "reason",
  "cancel by",
  "sends",
  "awaits",
  "arms",
  "captures",
  "reverses",
  "raises",
] as const;

/** Every edge of the transition table, one row for each rule. */
const edges = paymentStates.flatMap((from) =>
  paymentEvents.flatMap((event) => rulesFor(from, event).map((rule) => ({ from, event, ...rule }))),
);

/** Every cell of a restoring payment's table: one row for each rule, or one row for an event that waits. */
const restoringRows = (): Cell[][] =>
  paymentStates.flatMap((from) =>
    paymentEvents.flatMap((event): Cell[][] => {
      const cell = restoringCell(from, event) ?? [];
      if (cell === "waits") return [[from, event, "*waits*", ...transitionHeads.slice(3).map(() => undefined)]];
      if ("byAnswer" in cell) {
        const [to, , ...more] = ruleCells(cell.byAnswer);
        return [[from, event, to, "it answers the query", ...more]];
      }
      return [cell].flat().map((rule) => [from, event, ...ruleCells(rule)]);
    }),
  );

/** The section about a payment whose status query after a restore is unanswered: its rows, and how far the books are trusted. */
const restoringSection = (): string[] => [
  "## Restoring",
  "",
  "A payment is *restoring* until its terminal has answered the status query that a restore sent ([restoring.ts](../shared/domain/payment/life/restoring.ts), [ADR 012](adr/012-queries-after-a-restore.md)). It is not a status: partners and terminals do not see it.",
  "These rows come before those above, if the second table says so (*rows first*). *waits*: the event is not a transition before the answer. A partner is refused, the answer sets the deadline again, and a report is only recorded.",
  "",
  ...table(transitionHeads, restoringRows()),
  "",
  "The worth of the books, by what an event tells of a restoring payment or refund. `current`: it is not restoring. *query*: `unanswered` lets events wait. *rows first*: the rules above come first.",
  "*captures up to*: the most that a terminal is believed to have captured. *keeps unexplained*: an approval of another amount is kept, with an alert. *may lack its charge*: a reported charge may be the payment's own where the books have none.",
  "",
  ...table(
    ["books", "query", "rows first", "captures up to", "keeps unexplained", "may lack its charge", "a failed refund"],
    Object.entries(books).map(
      ([name, { query, rows, capturesUpTo, keepsUnexplained, mayLackCharge, failedRefund }]) => [
        name,
        query,
        rows,
        capturesUpTo,
        keepsUnexplained,
        mayLackCharge,
        failedRefund,
      ],
    ),
  ),
];

/** The section about the answer to the query that a failed capture brings at its `captureBefore`. */
const beforeVoidSection = (): string[] => [
  "## Before a void",
  "",
  "If a capture failed, nothing is given back unasked: the terminal is queried at `captureBefore`, and its answer decides ([before-void.ts](../shared/domain/payment/life/before-void.ts)). These rows come before the first table, for that answer alone. Any other answer is decided as always.",
  "",
  ...table(
    transitionHeads,
    paymentEvents.flatMap((event): Cell[][] => {
      const rule = beforeVoid[event];
      return rule ? [["authorized", event, ...ruleCells(rule)]] : [];
    }),
  ),
];

/** The edges of a terminal's day. */
const dayEdges = dayStates.flatMap((from) =>
  dayEvents.flatMap((event) => {
    const to = dayTransitions[from][event];
    return to === undefined ? [] : [{ from, event, to }];
  }),
);

/** The section about a terminal's day, with its diagram. */
const daySection = (): string[] => [
  "## A terminal's business day",
  "",
  "Generated from [the transitions of a day](../shared/domain/terminal-day/transitions.ts). An event that a state does not name changes nothing. `unequal`: a comparison within the grace time; `unequalForLong`: after it. A day is `open` from its first booking.",
  "",
  "```mermaid",
  "stateDiagram-v2",
  "  [*] --> open: booking",
  "  [*] --> comparing: totals",
  ...dayEdges.map(({ from, event, to }) => `  ${from} --> ${to}: ${event}`),
  "```",
];

/** The page of the payment's states: a diagram, the transitions, the timeouts, and the effect of every report in every state. */
export const statesPage = (): string =>
  [
    "# A payment's states",
    "",
    "Generated by `npm run docs` from [transitions.ts](../shared/domain/payment/life/transitions.ts) and [timeouts.ts](../shared/domain/payment/life/timeouts.ts). A state's meaning for partners is in",
    "[api-behaviour.md](api-behaviour.md), the way of a message in [protocol.md](protocol.md).",
    "",
    "```mermaid",
    "stateDiagram-v2",
    "  [*] --> pending: request",
    ...diagram(),
    "```",
    "",
    "## Transitions",
    "",
    "Of several rows for one state and event the first one applies whose guards hold; an event without a row for a state is no transition. *enters*: the state is entered, possibly again, so that",
    "its reason, message and deadline are set; without it the event is only recorded. *awaits*: the terminal's answer to the message is awaited from then on. *captures*: the amount that is captured from then on. *reverses*: the payment's own charge is given back by tries, for this reason. *raises*: the alert that calls an operator.",
    "",
    ...table(
      transitionHeads,
      edges.map(({ from, event, ...rule }) => [from, event, ...ruleCells(rule)]),
    ),
    "",
    ...restoringSection(),
    "",
    ...beforeVoidSection(),
    "",
    "## Timeouts",
    "",
    "A payment keeps a deadline as long as it awaits it, and one of each name. A refund in doubt has its own `outcome` and `doubt`. *takes back*: the message that is withdrawn first, if the terminal has not fetched it.",
    "",
    ...table(
      ["deadline", "in", "takes back", "event when taken back", "event otherwise"],
      Object.entries(timeouts).map(([name, timeout]) => [name, ...timeoutCells(timeout)]),
    ),
    "",
    "## Reports",
    "",
    "The effect of a terminal's report in each state. **moves**: it is a transition, or recorded by one. agrees: it states known facts. *contradicts*: it contradicts known facts. If an operator corrected an ended payment to paid, what contradicts `captured` contradicts it too.",
    "A report that does not move the payment is recorded in its history; a contradicting one also raises an alert ([operations.md](operations.md)).",
    "",
    ...table(
      ["report", ...paymentStates],
      reportEvents.map((event) => [event, ...paymentStates.map((state) => marked[verdictOf(state, event)])]),
    ),
    "",
    "The effect of a report that names a charge, by the state of the charge. The wanted charge follows the payment until it is captured. A report of a charge that was never approved contradicts, except a capture after the payment's end: that is a charge after the end.",
    "**fails**: a try to give the charge back has failed. **books**: the merchant has the money until the reversal, which goes on, has succeeded; an alert is raised. **marks**: the charge is contradicted, and none of its money moves until an operator decides; while a payment restores, the void of an authorized charge moves it. **doubts**: the charge is in doubt until an operator decides. A charge whose void began because it was not captured in time follows the payment when it is reported as captured. After an operator's decision on a charge, a report that contradicts it only raises an alert.",
    "",
    ...table(
      ["report", ...chargeStates],
      chargeReports.map((event) => [event, ...chargeStates.map((state) => marked[chargeVerdictOf(state, event)])]),
    ),
    "",
    "The effect of a report of a refund, by the state of the refund that it names. Only captured money has refunds, the payment's own or that of a kept charge; *decided* is one that failed by an operator's decision, *unknown* one that was never requested. A refund that moves to `succeeded` after its failure raises an alert, and the refunds that it replaces or leaves no room for are withdrawn.",
    "",
    ...table(
      ["report", ...refundStates],
      refundReports.map((event) => [event, ...refundStates.map((state) => marked[refundVerdictOf(state, event)])]),
    ),
    "",
    ...daySection(),
    "",
  ].join("\n");

const marked = {
  moves: "**moves**",
  fails: "**fails**",
  books: "**books**",
  marks: "**marks**",
  doubts: "**doubts**",
  agrees: "agrees",
  contradicts: "*contradicts*",
  asPayment: "as the payment",
} as const;

/** The transitions as arrows. One arrow lists all events between the same two states. */
function diagram(): string[] {
  const moves = edges.filter((edge) => edge.from !== edge.to);
  const byPair = Map.groupBy(moves, ({ from, to }): `${PaymentState} --> ${PaymentState}` => `${from} --> ${to}`);
  const arrows = [...byPair].map(([pair, of]) => `  ${pair}: ${[...new Set(of.map(({ event }) => event))].join(", ")}`);
  return [...arrows, ...paymentStates.filter(isFinal).map((state) => `  ${state} --> [*]`)];
}

const ruleCells = ({
  to,
  when = [],
  enters,
  reason,
  cancelBy,
  sends,
  awaits,
  arms,
  captures,
  reverses,
  raises,
}: Rule): Cell[] => [to, when.join(" and "), enters, reason, cancelBy, sends, awaits, arms, captures, reverses, raises];

const timeoutCells = ({ in: states, withdraws, withdrawn, overdue }: Timeout): Cell[] => [
  states.join(", "),
  withdraws,
  withdrawn,
  overdue,
];

type Cell = string | boolean | undefined;

const table = (heads: readonly string[], rows: readonly (readonly Cell[])[]): string[] => [
  `| ${heads.join(" | ")} |`,
  `|${heads.map(() => "---|").join("")}`,
  ...rows.map((cells) => `| ${cells.map((cell) => (cell === true ? "yes" : cell || "")).join(" | ")} |`),
];
