import { shownMoney } from "../../../shared/domain/money.ts";
import {
  merchantMoney,
  type OpenMoney,
  type PaymentMoney,
} from "../../../shared/domain/payment/operator/merchant-money.ts";
import {
  contradictedCharge,
  isGivenBack,
  wantedCharge,
  type Charge,
} from "../../../shared/domain/payment/record/charge.ts";
import { payableAmount } from "../../../shared/domain/payment/record/payment.ts";

/**
 * The merchant's money from a payment, in sentences. Money that can still move or is in doubt comes first, then the rest. Each sentence is
 * derived from the payment's amounts, charges and refunds, so none states more than is known.
 */
export function moneyText(payment: PaymentMoney): string {
  const { open } = merchantMoney(payment);
  const kept = payment.charges.filter(({ status }) => status === "kept");
  const besides = kept.map(({ amount, currency }) => `The merchant keeps a charge of ${shownMoney(amount, currency)}.`);
  return [...payment.charges.flatMap(contradictedText), ...open.map(openText), ...bookedText(payment), ...besides].join(
    " ",
  );
}

/** The terminal's report against the state of a charge, as a clause. Undefined if there is none. */
export function contradiction({
  status,
  contradicted = false,
  captured,
  currency,
}: Pick<Charge, "status" | "contradicted" | "captured" | "currency">): string | undefined {
  const said = "the terminal reported a";
  if (status === "authorized" && captured !== undefined)
    return `${said} ${contradicted ? "void and a " : ""}capture of ${shownMoney(captured, currency)}`;
  if (!contradicted) return undefined;
  return `${said} void${status === "authorized" ? ", or a capture in another currency" : ""}`;
}

function contradictedText(charge: PaymentMoney["charges"][number]): readonly string[] {
  const said = contradiction(charge);
  const { status, amount, currency } = charge;
  return said === undefined ? [] : [`A charge of ${shownMoney(amount, currency)} is ${status}, but ${said}.`];
}

/** The open money of a charge or refund. */
function openText({ of, is, amount, currency }: OpenMoney): string {
  const shown = shownMoney(amount, currency);
  switch (is) {
    case "givingBack":
      return `A charge of ${shown} is being reversed.`;
    case "notGivenBack":
      return `The terminal failed to reverse a charge of ${shown}.`;
    case "pending":
      return `The terminal has not made a refund of ${shown} yet.`;
    case "inDoubt":
      return of === "charge"
        ? `A charge of ${shown} contradicts the books, and its outcome is not decided.`
        : `It is not known whether a refund of ${shown} was made.`;
  }
}

const FROM = " from this payment";

function bookedText(payment: PaymentMoney): readonly string[] {
  const { captured, refunded, own, open } = merchantMoney(payment);
  const isApart = open.length > 0;
  const begun = (text: string): string =>
    isApart ? `Apart from that, ${text}.` : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  switch (own) {
    case "unknown": {
      const besides = contradictedCharge(payment) ? ": the books say" : ", in addition to";
      return [
        begun(`it is not known how much the merchant has${captured === 0 ? FROM : `${besides} ${had(payment)}`}`),
      ];
    }
    case "underWay":
      return [begun(`according to the reports so far, the merchant has ${had(payment)}`)];
    case "known": {
      const isNothing = captured === 0 && refunded === 0 && !isApart && payment.charges.every(isGivenBack);
      return [begun(isNothing ? `the merchant has no money${FROM}` : `the merchant has ${had(payment)}`)];
    }
  }
}

const mayBeAuthorized: ReadonlySet<PaymentMoney["status"]> = new Set([
  "authorized",
  "captureRequested",
  "voidRequested",
]);

/** The merchant's money according to the books. Adds the captured, refunded, authorized and payable amounts if they differ. */
function had(payment: PaymentMoney): string {
  const { captured, tip, refunded } = merchantMoney(payment);
  const { currency } = payment;
  const amount = (minor: number): string => shownMoney(minor, currency);
  const authorized = `${amount(payment.amounts.authorized)} was authorized${ofItTip(authorizedTip(payment), currency)}`;
  const payable = payableAmount(payment);
  return [
    `${heldText(payment)}${refunded === 0 ? "" : `: ${amount(captured)} was captured, and ${amount(refunded)} refunded`}`,
    ...(mayBeAuthorized.has(payment.status) ? [authorized] : []),
    ...(captured > 0 && captured - tip !== payable ? [`the amount to pay was ${amount(payable)}`] : []),
  ].join("; ");
}

/** The merchant's money, and the part of it that is tip: `110.00 SEK from this payment, 10.00 SEK of it tip`. */
export function heldText(payment: PaymentMoney): string {
  const { held, heldTip } = merchantMoney(payment);
  return `${shownMoney(held, payment.currency)}${FROM}${ofItTip(heldTip, payment.currency)}`;
}

/** The tip in the authorized amount, while the payment may have one. */
export const authorizedTip = (payment: PaymentMoney): number =>
  mayBeAuthorized.has(payment.status) ? (wantedCharge(payment)?.tip ?? 0) : 0;

/** The part of an amount that is tip, after the amount. Empty if there is none. */
export const ofItTip = (tip: number | undefined, currency: string): string =>
  tip ? `, ${shownMoney(tip, currency)} of it tip` : "";

/** The merchant's money compared to the amount to pay and the tip, short enough for a list: `50.00 of 125.50 SEK, 1 open`. */
export function shortMoney(payment: PaymentMoney): string {
  const { held, tip, own, open } = merchantMoney(payment);
  const { currency } = payment;
  const toHave = payableAmount(payment) + tip;
  const has = own === "unknown" ? "unknown" : shownMoney(held, currency).replace(` ${currency}`, "");
  const isAll = own !== "unknown" && held === toHave;
  const all = shownMoney(toHave, currency);
  return [isAll ? all : `${has} of ${all}`, ...(open.length > 0 ? [`${open.length} open`] : [])].join(", ");
}
