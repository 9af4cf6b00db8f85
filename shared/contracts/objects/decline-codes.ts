import * as z from "zod";
import type { DeclineCode } from "../../domain/payment/record/decline-code.ts";
import { values } from "../values.ts";

/** The sentences for a decline code. The till shows the first one to the cashier. The customer reads the second one where they differ. */
interface DeclineTexts {
  readonly till: string;
  readonly customer?: string;
}

const declined = "The card was declined. Please use another card, or call your bank.";

export const declineTexts: Readonly<Record<DeclineCode, DeclineTexts>> = {
  insufficientFunds: { till: "The account lacks the money. Try another card.", customer: declined },
  expiredCard: { till: "The card has expired. Try another card." },
  wrongPin: { till: "The PIN was wrong. Try again." },
  pinBlocked: {
    till: "The PIN is blocked. Try another card.",
    customer: "The PIN is blocked. Please use another card, or call your bank.",
  },
  lostOrStolen: {
    till: "The bank has blocked the card. Try another card, and do not tell the reason.",
    customer: declined,
  },
  notPermitted: { till: "The card does not permit this payment. Try another card.", customer: declined },
  limitExceeded: { till: "The amount is above the card's limit. Try another card.", customer: declined },
  issuerUnavailable: { till: "The bank does not respond. Try again in a moment, or try another card." },
  doNotHonour: { till: "The bank declined without a reason. Try another card.", customer: declined },
  readError: { till: "The card could not be read. Try again." },
  other: { till: "The card was declined. Try another card.", customer: declined },
};

const meanings = Object.fromEntries(
  Object.entries(declineTexts).map(([code, { till, customer }]) => [
    code,
    customer === undefined ? till : `${till} To the customer: ${customer}`,
  ]),
) as Record<DeclineCode, string>;

/** Why a card was declined, as reports and objects have it. A code that the platform does not know becomes `other`. */
export const declineCode = values("DeclineCode", "Why the card was declined, with a sentence for the till.", meanings);

/** The acquirer's own code of a decline. */
export const hostCode = z
  .string()
  .regex(/^[A-Za-z\d]{1,4}$/)
  .meta({ description: "The acquirer's own code of the decline: one to four letters and digits." });
