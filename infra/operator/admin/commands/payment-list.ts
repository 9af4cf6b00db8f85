import { toPaymentObject } from "../../../../shared/contracts/objects/payment.ts";
import { effectId } from "../../../../shared/domain/effects.ts";
import { paymentStates, type Payment } from "../../../../shared/domain/payment/record/payment.ts";
import { dayOf } from "../../../../shared/domain/time.ts";
import {
  paymentsChangedByKey,
  type ChangedByKey,
  type Days,
} from "../../../../shared/use-cases/operator/inspect/find-payment.ts";
import {
  overduePayments,
  paymentsOfDay,
  type OverduePayment,
} from "../../../../shared/use-cases/operator/repair/list-payments.ts";
import { shortMoney } from "../../common/money-text.ts";
import { namesText, terminalNames } from "../terminal-names.ts";
import type { TablePorts } from "../../../../shared/stores/stores.ts";
import { UsageError } from "../../../tools/script.ts";
import { command, progressIn, type Context } from "../command.ts";
import { clock, connectTables, operatorCall } from "../../common/platform.ts";
import { day, flag, oneOf, option, text } from "../words.ts";
import { findKey, keyIDRead } from "./key.ts";

export const listPayments = command({
  name: "list",
  does: "lists payments in their current state: those with an overdue effect, those that a partner's key changed, or those that changed on a UTC day (default: today)",
  words: [
    flag("--overdue", "payments with an effect that is not carried out ten minutes after it was due").conflicts("day"),
    option("--day <YYYY-MM-DD>", "payments that changed on this day", day),
    option("--key <keyID>", "payments that this key changed", keyIDRead).conflicts(["overdue", "day"]),
    option("--from <YYYY-MM-DD>", "the first UTC day of the key's changes", day),
    option("--to <YYYY-MM-DD>", "the last UTC day of the key's changes", day),
    option("--status <status>", "only payments in this status", oneOf(paymentStates)),
    option("--terminal <pointOfServiceID>", "only payments on this terminal", text),
  ],
  columns: ["sessionID", "status", "statusReason", "amount", "updatedAt", "waitsFor", "byKey", "terminal"],
  examples: [
    "payment list --overdue",
    "payment list --day 2026-11-21 --status captured",
    "payment list --key 0f3a91c2d4e5b6a7 --from 2026-11-01 --to 2026-11-21",
  ],
  async run({ overdue, day, key, from, to, status, terminal }, { connect, note }) {
    const search = searchOf({ key, from, to });
    const terminalId = terminal?.toLowerCase();
    const isMeant = (payment: Payment): boolean =>
      (status === undefined || payment.status === status) &&
      (terminalId === undefined || payment.terminalId === terminalId);
    const ports = connectTables(await connect());
    const onProgress = progressIn({ note });
    const rowsOf = <Of extends Found>(found: readonly Of[], row: (one: Of) => object) =>
      namedRows(
        ports,
        found.filter(({ payment }) => isMeant(payment)),
        { row, note },
      );
    if (overdue) return rowsOf(await overduePayments(ports, { ...operatorCall(), onProgress }), withOverdue);
    if (search) {
      const { key: found } = await findKey(ports.partners, search.key);
      const { read, changed } = await paymentsChangedByKey(ports, found, search);
      note(
        `${read} payments of partner ${found.partnerId} changed on these days, ${changed.length} of them by this key.`,
      );
      note("The log has all its requests, reads too, in the lines with this `key`.");
      return rowsOf(changed, withChanges);
    }
    const payments = await paymentsOfDay(ports, day ?? dayOf(clock.now()), onProgress);
    return rowsOf(
      payments.map((payment) => ({ payment })),
      ({ payment }) => shown(payment),
    );
  },
});

interface Found {
  readonly payment: Payment;
}

/** The row of each payment with the names of its terminal and merchant. */
async function namedRows<Of extends Found>(
  ports: TablePorts,
  found: readonly Of[],
  { row, note }: { readonly row: (one: Of) => object; readonly note: Context["note"] },
) {
  const names = await terminalNames(
    ports,
    found.map(({ payment }) => payment.terminalId),
    note,
  );
  return found.map((one) => {
    const own = names(one.payment.terminalId);
    return { ...row(one), ...own, terminal: namesText(own) };
  });
}

interface Search extends Days {
  readonly key: string;
}

/** The search for a key's changes, if one is named. Throws `UsageError` if a word of it is missing. */
function searchOf({ key, from, to }: { readonly [Name in keyof Search]: string | undefined }): Search | undefined {
  if (key === undefined && from === undefined && to === undefined) return undefined;
  if (key === undefined) throw new UsageError("--from and --to need --key.");
  if (from === undefined || to === undefined)
    throw new UsageError("--key needs --from and --to: the first and the last UTC day.");
  if (from > to) throw new UsageError("--from must not be after --to.");
  return { key, from, to };
}

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

const withChanges = ({ payment, changes }: ChangedByKey) => ({
  ...shown(payment),
  byKey: changes.map(({ sequence: change, event: what, at }) => ({ change, what, at })),
});

const counted = (effects: number): string => (effects === 1 ? "1 effect" : `${effects} effects`);
