import { toPaymentObject } from "../../../../shared/contracts/objects/payment.ts";
import { toTimelineObject } from "../../../../shared/contracts/objects/timeline.ts";
import { booksOf } from "../../../../shared/domain/payment/life/restoring.ts";
import type { Payment } from "../../../../shared/domain/payment/record/payment.ts";
import type { InspectedCommand } from "../../../../shared/use-cases/operator/inspect/inspect-payment.ts";
import { command } from "../command.ts";
import { alertDetail } from "../../common/alert-detail.ts";
import { moneyText } from "../../common/money-text.ts";
import { clock, connectTables } from "../../common/platform.ts";
import { namesText, terminalNames } from "../terminal-names.ts";
import { inspectedPayment } from "./inspected-payment.ts";
import { keysInWords } from "./last-use.ts";
import { paymentKey, paymentOptions } from "./payment-options.ts";

const EXAMPLE = "--partner 5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10 --session 9d3b6f0a-1c5e-4a67-8f0e-2b7c4d5e6f70";

export const showPayment = command({
  name: "show",
  does: "shows the current state of a payment: its money, its effects and whether they are carried out, its deadlines, its open alerts and its messages to the terminal",
  words: paymentOptions,
  examples: [`payment show ${EXAMPLE}`],
  async run(given, { connect, note }) {
    const tables = connectTables(await connect());
    const found = await inspectedPayment(tables, await paymentKey(tables, given));
    const { terminalId } = found.payment;
    const names = await terminalNames(tables, [terminalId], note);
    return {
      ...shown(found.payment, namesText(names(terminalId))),
      effects: found.commands.flatMap(shownEffects),
      deadlines: found.payment.deadlines,
      alerts: found.alerts
        .filter(({ status }) => status === "open")
        .map((alert) => ({ alert, detail: alertDetail(alert, found.payment) }))
        .map(({ alert: { kind, about, count, lastAt }, detail }) => ({ alert: kind, about, count, lastAt, detail })),
      inbox: found.inbox.map(({ message, slot, state, isHeld, leasedUntil }) => ({
        message: message.type,
        change: slot.sequence,
        state: isHeld ? "held" : state,
        leasedUntil,
      })),
    };
  },
});

/** The payment with the API's names, and the registered names of its terminal and merchant, without receipts and card details. The operator finds those elsewhere. */
function shown(payment: Payment, terminal: string | undefined) {
  const { msgType: _, receipt: __, card: ___, acquirer: ____, charges, refunds, ...rest } = toPaymentObject(payment);
  return {
    partnerID: payment.partnerId,
    terminal,
    money: moneyText(payment),
    ...rest,
    ...(booksOf(payment).query === "unanswered" && {
      restored: "The terminal has not reported the payment's state yet.",
    }),
    charges: charges.map(({ chargeID, amount, currency, status, contradicted, createdAt }) => ({
      chargeID,
      amount,
      currency,
      status,
      contradicted,
      createdAt,
    })),
    refunds: refunds.map(({ refundID, refundAmount, status, statusReason, createdAt }, i) => ({
      refundID,
      refundAmount,
      status,
      statusReason,
      reference: payment.refunds[i]?.outsideReference,
      createdAt,
    })),
  };
}

const shownEffects = ({ sequence, at, effects }: InspectedCommand) =>
  effects.map(({ effect, state }) => ({ change: sequence, effect, state, at }));

export const showTimeline = command({
  name: "timeline",
  does: "shows everything that happened to a payment, the key of each request, and every attempt to deliver its webhooks",
  words: paymentOptions,
  columns: ["at", "by", "what", "to", "why", "key", "detail"],
  examples: [`payment timeline ${EXAMPLE}`],
  async run(given, { connect }) {
    const tables = connectTables(await connect());
    const { payment, history, attempts } = await inspectedPayment(tables, await paymentKey(tables, given));
    const { entries, webhooks } = toTimelineObject({ payment, history, attempts });
    const keyIds = history.map(({ keyId }) => keyId ?? "");
    const keys = await keysInWords(tables.partners, keyIds.filter(Boolean), clock.now());
    return [
      ...entries.map(({ event: what, reason: why, ...entry }, i) => ({
        what,
        why,
        key: keys.get(keyIds[i] ?? ""),
        ...entry,
      })),
      ...webhooks.map(({ type: what, outcome: to, statusCode: why, ...attempt }) => ({
        what,
        to,
        why,
        by: "webhook",
        ...attempt,
      })),
    ].toSorted((one, other) => (one.at < other.at ? -1 : 1));
  },
});
