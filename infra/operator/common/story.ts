import type { Alert } from "../../../shared/domain/alert.ts";
import { shownMoney } from "../../../shared/domain/money.ts";
import { refundedAmount } from "../../../shared/domain/payment/record/kept-money.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { quoted, shownText } from "../../../shared/domain/texts.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import type { EventDelivery } from "../../../shared/use-cases/operator/inspect/deliveries.ts";
import type { InspectedCommand, InspectedPayment } from "../../../shared/use-cases/operator/inspect/inspect-payment.ts";
import { alertDetail } from "./alert-detail.ts";
import { correctionText } from "./consequences.ts";
import { contradiction, ofItTip } from "./money-text.ts";
import { because, changeText, refundReason } from "./reasons.ts";

/**
 * Explains a payment in lines for an operator. They contain the payment, each change with its actor and effects, its money and its alerts.
 * They end with what is still to come, and one concluding sentence. Pure.
 *
 * @param named the change that the operator's request made, if the operator named a request
 * @param terminal the names of the terminal and of its merchant, if they are known
 */
export const storyOf = (
  inspected: InspectedPayment,
  named: RecordedEntry | undefined,
  terminal?: string,
): readonly string[] => linesOf(inspected, named, terminal).map((line) => line.replaceAll(/\p{Cc}/gu, " ")); // a stored text must not control the operator's terminal

const linesOf = (
  inspected: InspectedPayment,
  named: RecordedEntry | undefined,
  terminal: string | undefined,
): readonly string[] => [
  ...subjectOf(inspected.payment, named, terminal),
  "",
  ...runsOf(inspected).flatMap((run) => changeLines(run, inspected)),
  "",
  ...moneyOf(inspected.payment),
  ...inspected.alerts.map((alert) => alertLine(alert, inspected.payment)),
  ...inspected.commands.flatMap(toCome),
  ...inspected.payment.deadlines.map(({ name, about, at }) => `Deadline ${name}${ofThing(about)} is due at ${at}.`),
  ...inspected.inbox.map(
    ({ message, state, isHeld, slot }) =>
      `Message ${message.type} of change ${slot.sequence} is ${isHeld ? "held" : state} in the terminal's inbox.`,
  ),
  because(inspected.payment),
];

function subjectOf(
  payment: Payment,
  named: RecordedEntry | undefined,
  terminal: string | undefined,
): readonly string[] {
  const { partnerId, sessionId, terminalId, currency, amounts, captureMode, tip, references } = payment;
  const asks = tip === undefined ? "" : tip.asked ? ", asks for a tip" : ", a tip is requested but not asked for";
  const order = references?.orderId === undefined ? "" : `, order ${quoted(references.orderId)}`;
  return [
    `Payment ${sessionId} of partner ${partnerId}`,
    `on terminal ${terminalId}${terminal === undefined ? "" : ` (${shownText(terminal)})`}: ${shownMoney(amounts.requested, currency)} requested, ${captureMode} capture${asks}${order}.`,
    ...(named ? [`Request ${named.requestId} made its change ${named.sequence}.`] : []),
  ];
}

/** Consecutive changes with the same text. */
type Run = readonly [first: RecordedEntry, ...others: RecordedEntry[]];

/** The fewest changes that are shown as one. */
const FOLDED = 3;

/** The changes, with those that repeat the change before them in one run. */
function runsOf({ history, payment: { currency } }: InspectedPayment): readonly Run[] {
  const runs: [RecordedEntry, ...RecordedEntry[]][] = [];
  for (const entry of history) {
    const run = runs.at(-1);
    const isSame = run && isRoutine(entry) && textOf(entry, currency) === textOf(run[0], currency);
    if (isSame) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) => (run.length < FOLDED ? run.map((entry): Run => [entry]) : [run]));
}

/** Whether the change may be folded: it has no request, and moved no money. */
const isRoutine = ({ by, recordedOnly }: RecordedEntry): boolean => by === "platform" || recordedOnly === true;

const textOf = (entry: RecordedEntry, currency: string): string => `${changeText(entry, currency)}${stateText(entry)}`;

/** A run names its first and last change, and counts the lines below them. */
function changeLines(run: Run, inspected: InspectedPayment): readonly string[] {
  const [first, ...others] = run;
  const { sequence, at } = first;
  const text = textOf(first, inspected.payment.currency);
  const last = others.at(-1);
  if (!last) return [`${at}  ${sequence}. ${text}.`, ...sourceOf(first), ...causedLines(first, inspected)];
  const caused = run.flatMap((entry) => causedLines(entry, inspected));
  return [
    `${at}  ${sequence}–${last.sequence}. ${text}, ${run.length} times until ${last.at}.`,
    ...[...new Set(caused)].map((line) => times(line, caused.filter((one) => one === line).length)),
  ];
}

const times = (line: string, count: number): string => (count === 1 ? line : line.replace(/\.$/, `, ${count} times.`));

function causedLines(entry: RecordedEntry, { deliveries }: InspectedPayment): readonly string[] {
  const { sequence, by, detail, operator, alerts = [], bookings = [] } = entry;
  const corrections = bookings.filter(({ kind }) => kind === "correction");
  const speaker = by === "operator" ? "Note for the partner" : "Detail";
  return [
    ...(operator ? [`${INDENT}Decided by ${shownText(operator.by)}: ${quoted(operator.why)}.`] : []),
    ...(operator?.reference === undefined ? [] : [`${INDENT}The acquirer's reference: ${quoted(operator.reference)}.`]),
    ...(detail === undefined ? [] : [`${INDENT}${speaker}: ${quoted(detail)}.`]),
    ...corrections.map((correction) => `${INDENT}${correctionText(correction)}`),
    ...alerts.map(
      ({ kind, about }) => `${INDENT}Raised the alert ${kind}${about === undefined ? "" : ` of ${about}`}.`,
    ),
    ...deliveries.filter((event) => event.sequence === sequence).map(deliveryLine),
  ];
}

/** The indentation of lines below a change's text, after its time. */
const INDENT = " ".repeat("2026-11-21T10:00:00.000Z  ".length);

/** The effect of a change on the payment's state. It follows the text of the change. */
export function stateText({
  from,
  to,
  reason,
  recordedOnly,
}: Pick<RecordedEntry, "from" | "to" | "reason" | "recordedOnly">): string {
  const why = reason === undefined ? "" : ` (${reason})`;
  if (recordedOnly) return `; recorded only, it stays ${to}`;
  if (from === undefined) return `: ${to}`;
  return from === to ? `; it stays ${to}${why}` : `: ${from} → ${to}${why}`;
}

/** The identifiers that find the change elsewhere: in the partner's log, among its keys, in the terminal's journal, in traces. */
function sourceOf({ requestId, keyId, reportId, traceId }: RecordedEntry): readonly string[] {
  const names = { request: requestId, key: keyId, report: reportId, trace: traceId };
  const known = Object.entries(names).flatMap(([what, id]) => (id === undefined ? [] : [`${what} ${id}`]));
  return known.map((name) => `${INDENT}${name}`);
}

function deliveryLine({ type, state, attempts }: EventDelivery): string {
  const last = attempts.at(-1);
  const answer = last
    ? `: ${[last.outcome, last.reason, last.status].filter(Boolean).join(" ")}, ${Math.round(last.ms)} ms`
    : "";
  const made = attempts.length === 0 ? "" : `, ${counted(attempts.length, "attempt")}${answer}`;
  return `${INDENT}Webhook ${type}: ${deliveryStates[state]}${made}.`;
}

const deliveryStates: Readonly<Record<EventDelivery["state"], string>> = {
  delivered: "delivered",
  gone: "refused with 410 by the partner's server",
  givenUp: "given up",
  waiting: "waits for its next attempt",
  noAddress: "not sent, no address is known",
};

function moneyOf(payment: Payment): readonly string[] {
  const { amounts, currency, charges, refunds, discounts } = payment;
  const sums = { Authorized: amounts.authorized, captured: amounts.captured, refunded: refundedAmount(payment) };
  const texts = Object.entries(sums).map(([what, amount]) => `${what} ${shownMoney(amount, currency)}`);
  return [
    `${texts.join(", ")}.`,
    ...charges.map((charge) =>
      line(
        `Charge ${charge.chargeId}: ${shownMoney(charge.amount, charge.currency)}${ofItTip(charge.tip, charge.currency)}`,
        charge.status,
        contradiction(charge),
      ),
    ),
    ...refunds.map((refund) =>
      line(
        `Refund ${refund.refundId}: ${shownMoney(refund.made ?? refund.amount, currency)}${ofItTip(refund.tip, currency)}`,
        refund.status,
        refundReason(refund),
      ),
    ),
    ...discounts.map(({ discountId, voucherTokenId, amount, status, statusReason }) =>
      line(`Discount ${discountId}${ofVoucher(voucherTokenId)}: ${shownMoney(amount, currency)}`, status, statusReason),
    ),
  ];
}

const ofVoucher = (tokenId: string | undefined): string => (tokenId === undefined ? "" : ` by the voucher ${tokenId}`);

const line = (what: string, status: string, reason: string | undefined): string =>
  `${what}, ${status}${reason === undefined ? "" : ` (${reason})`}.`;

function alertLine(alert: Alert, payment: Payment): string {
  const { kind, about, status, count, lastAt } = alert;
  const raised = `Alert ${kind}${ofThing(about)} is ${status}, raised ${counted(count, "time")}, last at ${lastAt}`;
  return `${raised}${alert.detail === undefined ? "." : `: ${alertDetail(alert, payment)}`}`;
}

const ofThing = (about: string | undefined): string => (about === undefined ? "" : ` of ${about}`);

/** Effects that are not carried out yet. */
const toCome = ({ effects, sequence }: InspectedCommand): readonly string[] =>
  effects
    .filter(({ state }) => state === "toDo" || state === "overdue")
    .map(({ effect, state }) => `Effect ${effect} of change ${sequence} is ${effectStates[state] ?? state}.`);

const effectStates: Readonly<Record<string, string>> = {
  toDo: "not carried out yet",
  overdue: "overdue: `repair` announces it again",
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
