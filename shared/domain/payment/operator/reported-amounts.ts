import type { HistoryEntry } from "../record/history-entry.ts";
import type { Charge } from "../record/charge.ts";
import type { Payment, Refund } from "../record/payment.ts";
import type { Said } from "../record/said.ts";

/** The changes of a payment that tell which amounts its terminal reported. */
export type Reports = readonly Pick<HistoryEntry, "said" | "messageId">[];

/** The amounts that the terminal reported as taken of a charge, in minor units of the charge's currency. */
export const takenAmounts = (
  reports: Reports,
  { captureMode }: Pick<Payment, "captureMode">,
  { chargeId, currency }: Charge,
): readonly number[] =>
  amountsIn(reports, currency, ({ type, chargeId: id }) => {
    const isTaken = type === "captured" || (type === "authorized" && captureMode === "automatic");
    return isTaken && id === chargeId;
  });

/** The amounts that the terminal reported as made of a refund, in minor units of the payment's currency. */
export const madeAmounts = (
  reports: Reports,
  { currency }: Pick<Payment, "currency">,
  { refundId, commandId }: Refund,
): readonly number[] =>
  amountsIn(reports, currency, ({ type, refundId: id }, messageId) => {
    const isMeant = id === undefined ? messageId === commandId : id === refundId;
    return type === "refunded" && isMeant;
  });

const amountsIn = (
  reports: Reports,
  currency: string,
  isMeant: (said: Said, messageId: string | undefined) => boolean,
): readonly number[] =>
  reports.flatMap(({ said, messageId }) =>
    said?.amount !== undefined && said.currency === currency && isMeant(said, messageId) ? [said.amount] : [],
  );
