import { parseArgs } from "node:util";
import { toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { effectId } from "../../shared/domain/effects.ts";
import type { Payment } from "../../shared/domain/payment/payment.ts";
import { day as dayFormat } from "../../shared/domain/time.ts";
import { overduePayments, paymentsOfDay, type OverduePayment } from "../../shared/use-cases/repair/list-payments.ts";
import type { Subcommand } from "./subcommand.ts";
import { operatorCall, connectTables } from "./platform.ts";

export const listPayments: Subcommand = {
  name: "payment list",
  usage: "--overdue | --day <YYYY-MM-DD>",
  does: "lists the payments with an overdue effect, or those that changed on a day (UTC), in their current state",
  async run(args, connect) {
    const options = { overdue: { type: "boolean", default: false }, day: { type: "string" } } as const;
    const { overdue, day } = parseArgs({ args, options }).values;
    if (overdue === (day !== undefined)) throw new Error("Say either --overdue or --day.");
    if (day !== undefined && !dayFormat.safeParse(day).success)
      throw new Error("--day takes a day, such as 2026-11-21.");
    const ports = connectTables(await connect());
    return day === undefined
      ? (await overduePayments(ports, operatorCall())).map(withOverdue)
      : (await paymentsOfDay(ports, day)).map(shown);
  },
};

const shown = (payment: Payment) => {
  const { sessionID, pointOfServiceID, status, statusReason, currency, amounts, createdAt, updatedAt } =
    toPaymentObject(payment);
  const { partnerId: partnerID } = payment;
  return { partnerID, sessionID, pointOfServiceID, status, statusReason, currency, amounts, createdAt, updatedAt };
};

const withOverdue = ({ payment, overdue, isStuck }: OverduePayment) => ({
  ...shown(payment),
  overdue: overdue.map(({ effect, since }) => ({ effect: effectId(effect), since })),
  waitsForOperator: isStuck,
});
