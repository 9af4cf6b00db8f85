import type { Booking } from "../../../shared/domain/booking.ts";
import type { Effect } from "../../../shared/domain/effects.ts";
import { shownMoney } from "../../../shared/domain/money.ts";
import type { Change } from "../../../shared/domain/payment/life/advance.ts";
import { bookingsOf } from "../../../shared/domain/payment/life/bookings.ts";
import {
  capturedTip,
  ownCaptured,
  refundsOf as refundsOfCharge,
} from "../../../shared/domain/payment/record/kept-money.ts";
import { excessText } from "../../../shared/domain/payment/reports/contradicted.ts";
import { merchantMoney } from "../../../shared/domain/payment/operator/merchant-money.ts";
import { orderHold, orderOf } from "../../../shared/domain/payment/record/order.ts";
import { isGivenBack, type Charge } from "../../../shared/domain/payment/record/charge.ts";
import {
  holdsTerminal,
  payableAmount,
  type Discount,
  type Payment,
  type PaymentState,
} from "../../../shared/domain/payment/record/payment.ts";
import { pointlessMessages } from "../../../shared/domain/payment/operator/decide-resolution.ts";
import { voucherFate } from "../../../shared/domain/payment/life/voucher-use.ts";
import type { TerminalMessage } from "../../../shared/domain/terminal-message.ts";
import { quoted } from "../../../shared/domain/texts.ts";
import { heldText, ofItTip } from "./money-text.ts";

/**
 * The effects of an operator's change as sentences with amounts, the most irrevocable first. Every sentence is derived from the change
 * itself, so none is missing or understated.
 */
export function consequences(before: Payment, change: Change): readonly string[] {
  const { payment: after } = change;
  return [
    ...messagesOf(before, change),
    stateOf(before, after),
    ...moneyOf(before, after),
    ...chargesOf(before, after),
    ...refundsOf(before, after),
    ...discountsOf(before, after),
    ...heldOf(before, after),
    ...daysOf(before, change),
    ...alertsOf(change),
    ...toldOf(before, change),
  ];
}

function messagesOf(before: Payment, change: Change): readonly string[] {
  const { payment: after, effects } = change;
  const sent = effects.flatMap((effect) =>
    effect.kind === "message" ? [`${messageText(effect.message)} is sent to the terminal.`] : [],
  );
  const later = after.charges
    .filter((charge) => isWaiting(charge) && !isWaiting(before.charges.find((c) => c.chargeId === charge.chargeId)))
    .map((charge) => `A ${voidText(charge)} is sent to the terminal after that.`);
  const withdrawn = pointlessMessages(before, change).map(
    (sequence) => `${withdrawnText(before, sequence)} is removed from the terminal's inbox if it is still there.`,
  );
  return [...sent, ...later, ...withdrawn];
}

/** Its reversal needs a separate change, which follows. */
const isWaiting = (charge: Charge | undefined): boolean =>
  charge?.status === "reversing" && charge.reversal === undefined;

const voidText = ({ chargeId, amount, currency }: Charge): string =>
  `void of ${shownMoney(amount, currency)} (charge ${chargeId})`;

/** Names a message that the terminal may not have fetched, by what it asks of the terminal. */
function withdrawnText({ status, charges, refunds, currency, awaiting }: Payment, sequence: number): string {
  if (sequence === 1) return "The payment request";
  const refund = refunds.find((one) => one.sequence === sequence);
  if (refund) return `The refund of ${shownMoney(refund.amount, currency)} (refund ${refund.refundId})`;
  const charge = charges.find(({ reversal }) => reversal?.sequence === sequence);
  if (charge) return `The ${voidText(charge)}`;
  return (awaiting?.sequence === sequence && awaitedTexts[status]) || `The message of change ${sequence}`;
}

/** The message that a payment in this state awaits the answer to. */
const awaitedTexts: Partial<Record<PaymentState, string>> = {
  cancelRequested: "The cancel",
  reconciling: "The cancel",
  captureRequested: "The capture",
};

function messageText(message: TerminalMessage): string {
  if (!("amount" in message)) return `A ${message.type}`;
  const charge = "chargeId" in message && message.chargeId !== undefined ? ` (charge ${message.chargeId})` : "";
  return `A ${message.type} of ${shownMoney(message.amount, message.currency)}${charge}`;
}

const stateOf = ({ status: from }: Payment, { status: to }: Payment): string =>
  from === to ? `The payment stays ${to}.` : `The payment goes from ${from} to ${to}.`;

function moneyOf(before: Payment, after: Payment): readonly string[] {
  const [was, is] = [merchantMoney(before), merchantMoney(after)];
  if (was.own === "known" && was.held === is.held && was.heldTip === is.heldTip)
    return [`The merchant has ${heldText(after)}, as before.`];
  const hasNow = `${shownMoney(was.held, after.currency)}${ofItTip(was.heldTip, after.currency)}`;
  const earlier = was.own === "known" ? `Now it has ${hasNow}.` : "Now it is not known how much it has.";
  return [`The merchant then has ${heldText(after)}. ${earlier}`, ...moreCaptured(before, after)];
}

function moreCaptured(before: Payment, after: Payment): readonly string[] {
  const captured = ownCaptured(after);
  const wanted = after.captureAmount ?? payableAmount(after) + capturedTip(after, undefined);
  const more = moreText(captured - wanted, after.currency);
  if (more === "" || captured === ownCaptured(before)) return [];
  return [`The capture of ${shownMoney(captured, after.currency)} is ${more}.`];
}

/** By how much an amount exceeds the requested one. Empty if it does not. */
const moreText = (more: number, currency: string): string =>
  more > 0 ? `${shownMoney(more, currency)} more than was requested` : "";

/** The charges whose state changes, those that are no longer contradicted, and those that stay open. */
function chargesOf(before: Payment, after: Payment): readonly string[] {
  return after.charges.flatMap((charge) => {
    const { chargeId, amount, currency, status } = charge;
    const earlier = before.charges.find((c) => c.chargeId === chargeId);
    const what = `The charge ${chargeId} of ${shownMoney(amount, currency)}`;
    const isUnsent = earlier?.contradicted && isGivenBack(charge);
    if (earlier && earlier.status !== status)
      return [
        `${what} goes from ${earlier.status} to ${status}${isUnsent ? ", without a message to the terminal" : ""}.`,
      ];
    if (earlier?.contradicted && !charge.contradicted)
      return [`${what} stays ${status}, and its money can move again.`];
    return merchantMoney(after).open.some(({ id }) => id === chargeId) ? [`${what} stays ${status}.`] : [];
  });
}

function refundsOf(before: Payment, after: Payment): readonly string[] {
  return after.refunds.flatMap(({ refundId, commandId, chargeId, made, amount, status }) => {
    const earlier = before.refunds.find((r) => r.commandId === commandId);
    const shown = shownMoney(made ?? amount, after.currency);
    if (earlier === undefined) return [`A refund of ${shown} counts as made, without a message to the terminal.`];
    if (earlier.status === status && earlier.made === made) return [];
    const isMade = status === "succeeded";
    const more = isMade ? moreText((made ?? amount) - amount, after.currency) : "";
    const excess = isMade ? excessText(after, chargeId, refundsOfCharge(after, chargeId)) : "";
    const moves =
      earlier.status === status ? `was made with ${shown}` : `of ${shown} goes from ${earlier.status} to ${status}`;
    return [`The refund ${refundId} ${moves}${more === "" ? "" : `, ${more}`}${excess}.`];
  });
}

function discountsOf(before: Payment, after: Payment): readonly string[] {
  return after.discounts.flatMap((discount) => {
    const { discountId, amount, status } = discount;
    const earlier = before.discounts.find((d) => d.discountId === discountId);
    const what = `The discount ${discountId} of ${shownMoney(amount, after.currency)}`;
    const voucher = voucherText(before, after, discount);
    if (status === "requested") return [`${what} is in doubt until you decide it${voucher}.`];
    if (earlier?.status !== status) return [`${what} counts as ${status}${voucher}.`];
    return voucher === "" ? [] : [`${what} stays ${status}${voucher}.`];
  });
}

/** The new state of the discount's voucher. Empty if there is no voucher, or if its state does not change and it is not held. */
function voucherText(before: Payment, after: Payment, { discountId, voucherTokenId }: Discount): string {
  if (voucherTokenId === undefined) return "";
  const fate = voucherFate(after, discountId);
  if (fate !== "held" && voucherFate(before, discountId) === fate) return "";
  return `: the voucher ${voucherTokenId} ${fates[fate]}`;
}

const fates = { held: "stays held", spent: "is redeemed", free: "is released" } as const;

/** The terminal and order, if the change releases or takes them. */
function heldOf(before: Payment, after: Payment): readonly string[] {
  const isFreed = holdsTerminal(before.status) && !holdsTerminal(after.status);
  const order = orderOf(after)?.orderId;
  const [held, holds] = [orderHold(before) !== undefined, orderHold(after) !== undefined];
  return [
    ...(isFreed ? ["The terminal is free for the next payment."] : []),
    ...(order !== undefined && held && !holds ? [`The order ${quoted(order)} can be paid again.`] : []),
    ...(order !== undefined && !held && holds ? [`The payment holds the order ${quoted(order)} again.`] : []),
  ];
}

/** The bookings of the change, and the day whose comparison counts each correction. */
function daysOf(before: Payment, change: Change): readonly string[] {
  const { businessDay: named } = change.entry;
  const bookings = bookingsOf(before, change);
  if (bookings.length === 0)
    return named === undefined
      ? []
      : [`Nothing is booked now, so nothing counts in the comparison of the day ${named}.`];
  return bookings.map((booking) => (booking.kind === "correction" ? correctionText(booking) : reportedText(booking)));
}

/** Money that the terminal had reported, and that is booked now. */
const reportedText = ({ kind, amount, tip, currency, businessDay }: Booking): string =>
  `The ${kind} of ${shownMoney(amount, currency)}${closed(ofItTip(tip, currency))} that the terminal reported is booked on ${businessDay}.`;

/** A correction in the books, with its amount and the day whose comparison counts it. */
export function correctionText({ amount, tip, currency, direction, counted, businessDay }: Booking): string {
  const money = `${shownMoney(amount, currency)}${closed(ofItTip(tip, currency))}`;
  const what = `A correction of ${money} ${direction === "credit" ? "to" : "from"} the merchant`;
  return counted
    ? `${what} counts in the comparison of the day ${businessDay}.`
    : `${what} is booked on ${businessDay}, and does not count in the comparison of any day.`;
}

/** A clause between commas. Empty if it is. */
const closed = (clause: string): string => (clause === "" ? "" : `${clause},`);

const alertsOf = ({ effects }: Change): readonly string[] =>
  effects.flatMap((effect) => {
    if (effect.kind !== "alert") return [];
    const detail = effect.detail === undefined ? "" : ` (${effect.detail})`;
    return [`The alert ${effect.alert}${aboutText(effect)} is raised${detail}.`];
  });

/** The events that the partner gets, and the operator's note for the partner. A refund that is only added has no name yet. */
function toldOf(before: Payment, { payment, effects, entry: { detail } }: Change): readonly string[] {
  const added = payment.refunds.slice(before.refunds.length).map(({ refundId }) => refundId);
  const events = effects.flatMap((effect) => {
    if (effect.kind !== "webhook") return [];
    return [`${effect.type}${added.includes(effect.about ?? "") ? "" : aboutText(effect)}`];
  });
  return [
    events.length === 0 ? "The partner gets no event." : `The partner gets ${events.join(", ")}.`,
    ...(detail === undefined ? [] : [`The partner reads the note ${quoted(detail)}.`]),
  ];
}

const aboutText = ({ about }: Pick<Extract<Effect<"payment">, { kind: "webhook" }>, "about">): string =>
  about === undefined ? "" : ` of ${about}`;
