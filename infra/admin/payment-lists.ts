import { parseArgs } from "node:util";
import { toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { effectId } from "../../shared/domain/effects.ts";
import { paymentStates, type Payment } from "../../shared/domain/payment/payment.ts";
import { day as dayFormat, dayOf } from "../../shared/domain/time.ts";
import { overduePayments, paymentsOfDay, type OverduePayment } from "../../shared/use-cases/repair/list-payments.ts";
import type { Subcommand } from "./subcommand.ts";
import { clock, connectTables, operatorCall } from "./platform.ts";

export const listPayments: Subcommand = {
  name: "payment list",
  usage: "[--overdue | --day <YYYY-MM-DD>] [--status <status>] [--terminal <pointOfServiceID>]",
  does: "lists the payments with an overdue effect, or those that changed on a day (UTC; today where none is named), in their current state",
  async run(args, connect) {
    const { overdue, day, isMeant } = readOptions(args);
    const ports = connectTables(await connect());
    if (overdue) {
      return (await overduePayments(ports, operatorCall())).filter(({ payment }) => isMeant(payment)).map(withOverdue);
    }
    return (await paymentsOfDay(ports, day ?? dayOf(clock.now()))).filter(isMeant).map(shown);
  },
};

const options = {
  overdue: { type: "boolean", default: false },
  day: { type: "string" },
  status: { type: "string" },
  terminal: { type: "string" },
} as const;

/** Throws a sentence for options that exclude each other, and for a day or status that does not exist. */
function readOptions(args: string[]) {
  const { overdue, day, status, terminal } = parseArgs({ args, options }).values;
  if (overdue && day !== undefined) throw new Error("Say either --overdue or --day.");
  if (day !== undefined && !dayFormat.safeParse(day).success) throw new Error("--day takes a day, such as 2026-11-21.");
  if (status !== undefined && !paymentStates.some((state) => state === status))
    throw new Error(`--status is one of ${paymentStates.join(", ")}.`);
  const terminalId = terminal?.toLowerCase();
  const isMeant = (payment: Payment): boolean =>
    (status === undefined || payment.status === status) &&
    (terminalId === undefined || payment.terminalId === terminalId);
  return { overdue, day, isMeant };
}

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
