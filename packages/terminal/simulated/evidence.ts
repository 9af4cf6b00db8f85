import { createHash } from "node:crypto";
import { fromMinorUnits, shownMoney, toMinorUnits } from "../../../shared/domain/money.ts";
import { minorOf } from "./minor-of.ts";

// The card, the references and the receipt in a terminal's reports.

/** A card, as slips and the acquirer's file name it. */
export interface SlipCard {
  readonly brand: string;
  readonly last4: string;
}

/** The acquirer's references of a movement. */
export interface References {
  readonly authorisationCode: string;
  readonly rrn: string;
  readonly stan: string;
  readonly tid: string;
  readonly mid: string;
}

/** The acquirer's names for the terminal and the merchant. Their zeros are part of them. */
const SHOP = { tid: "00471100", mid: "000000710042" };

/** The names of a movement. */
interface Named {
  readonly moved: string;
  readonly chargeID: string;
  readonly refundID?: string;
}

/**
 * The acquirer's references of a movement. They follow from its names, so a repeated answer has the same ones, also after a power cut. A
 * capture and a void have the approval code of their charge. A refund has one of its own.
 */
export function referencesOf({ moved, chargeID, refundID }: Named): References {
  const approved = hashOf(`approval of ${refundID ?? chargeID}`);
  const rrn = String(BigInt(`0x${hashOf(`${moved} of ${refundID ?? chargeID}`)}`)).slice(-12);
  return { authorisationCode: approved.slice(0, 6).toUpperCase(), rrn, stan: rrn.slice(-6), ...SHOP };
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The cards of the demo. Each charge after a payment's first one is on the second card. */
const firstCard = { brand: "visa", last4: "4242" };
const secondCard = { brand: "mastercard", last4: "5454" };

/** The card of one of a session's charges. Without a charge, the card that is presented first. */
export const cardOf = (charges: readonly Pick<Named, "chargeID">[], chargeID = charges[0]?.chargeID): SlipCard =>
  chargeID === charges[0]?.chargeID ? firstCard : secondCard;

interface Slip {
  readonly amount: number;
  /** The part of the amount that is tip. */
  readonly tip?: number;
  readonly currency: string;
  readonly card: SlipCard;
  /** Absent on the slip of a decline. */
  readonly acquirer?: References;
}

/** The receipt of a movement or a decline, for the customer and for the merchant. */
export function receiptOf(
  what: "Sale" | "Capture" | "Refund" | "Reversal" | "Declined",
  { merchantName = "Shop" }: { readonly merchantName?: string },
  { card, acquirer, ...money }: Slip,
) {
  const lines = [
    merchantName,
    what,
    ...moneyLines(money),
    `${card.brand} **** ${card.last4}`,
    // on lines of their own, because digits in a row could be taken for a card number
    ...(acquirer ? [`Authorisation ${acquirer.authorisationCode}`, `RRN ${acquirer.rrn}`] : []),
  ];
  return { customer: [...lines, "Customer copy"], merchant: [...lines, "Merchant copy"] };
}

function moneyLines({ amount, tip = 0, currency }: Pick<Slip, "amount" | "tip" | "currency">): readonly string[] {
  const total = amountText(amount, currency);
  if (tip === 0) return [total];
  const sale = fromMinorUnits(minorOf(amount, currency) - minorOf(tip, currency), currency);
  return [`Amount ${amountText(sale, currency)}`, `Tip ${amountText(tip, currency)}`, `Total ${total}`];
}

function amountText(amount: number, currency: string): string {
  const minor = toMinorUnits(amount, currency);
  return minor.ok ? shownMoney(minor.value, currency) : `${amount} ${currency}`;
}
