import { toPaymentObject } from "../../../../shared/contracts/objects/payment.ts";
import { effectId } from "../../../../shared/domain/effects.ts";
import { paymentStates, type Payment } from "../../../../shared/domain/payment/record/payment.ts";
import { dayOf } from "../../../../shared/domain/time.ts";
import {
  overduePayments,
  paymentsOfDay,
  type OverduePayment,
} from "../../../../shared/use-cases/operator/repair/list-payments.ts";
import { shortMoney } from "../../common/money-text.ts";
import { command } from "../command.ts";
import { clock, connectTables, operatorCall } from "../../common/platform.ts";
import { day, flag, oneOf, option, text } from "../words.ts";

export const listPayments = command({
  name: "list",
  does: "lists the payments with an overdue effect, or the payments that changed on a UTC day (default: today), in their current state",
  words: [
    flag("--overdue", "payments with an effect that is not carried out ten minutes after it was due").conflicts("day"),
    option("--day <YYYY-MM-DD>", "payments that changed on this day", day),
    option("--status <status>", "only payments in this status", oneOf(paymentStates)),
    option("--terminal <pointOfServiceID>", "only payments on this terminal", text),
  ],
  columns: ["sessionID", "status", "statusReason", "amount", "updatedAt", "waitsFor"],
  examples: ["payment list --overdue", "payment list --day 2026-11-21 --status captured"],
  async run({ overdue, day, status, terminal }, { connect }) {
    const terminalId = terminal?.toLowerCase();
    const isMeant = (payment: Payment): boolean =>
      (status === undefined || payment.status === status) &&
      (terminalId === undefined || payment.terminalId === terminalId);
    const ports = connectTables(await connect());
    if (overdue) {
      return (await overduePayments(ports, operatorCall())).filter(({ payment }) => isMeant(payment)).map(withOverdue);
    }
    return (await paymentsOfDay(ports, day ?? dayOf(clock.now()))).filter(isMeant).map(shown);
  },
});

const shown = (payment: Payment) => {
  const { sessionID, pointOfServiceID, status, statusReason, currency, amounts, createdAt, updatedAt } =
    toPaymentObject(payment);
  const { partnerId: partnerID } = payment;
  const amount = shortMoney(payment);
  const times = { createdAt, updatedAt };
  return { partnerID, sessionID, pointOfServiceID, status, statusReason, amount, currency, amounts, ...times };
};

const withOverdue = ({ payment, overdue, isStuck }: OverduePayment) => ({
  ...shown(payment),
  overdue: overdue.map(({ effect, since }) => ({ effect: effectId(effect), since })),
  waitsForOperator: isStuck,
  waitsFor: isStuck ? "operator" : counted(overdue.length),
});

const counted = (effects: number): string => (effects === 1 ? "1 effect" : `${effects} effects`);
