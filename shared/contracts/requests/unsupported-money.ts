import type { FieldProblem } from "../../domain/refusal.ts";

/** Money that a till may ask for in addition to the amount, and that the platform does not take: the reason, and the members that ask for it. */
interface Unsupported {
  /** Continues the sentence "the field …". */
  readonly message: string;
  /** As they are written in lower camel case. */
  readonly members: readonly string[];
}

/**
 * The members of other payment APIs that ask for more or other money than the amount. If such a member were ignored, the terminal would take
 * an amount that the till does not expect. They are those of nexo's `AmountsReq` and `TransactionConditions`, of the terminal APIs of Adyen,
 * Clover, Dojo, Square, Stripe and SumUp, and their plain forms.
 */
const unsupported: readonly Unsupported[] = [
  {
    message:
      "is not supported: the terminal asks for a tip if the payment request has tip. Leave the member out; a tip that is known before the payment is part of totalAmountInclVat",
    members: [
      "tip",
      "tips",
      "tipAmount",
      "tipsAmount",
      "amountTip",
      "tipMoney",
      "tipRate",
      "tipRates",
      "tipSettings",
      "tipTimeout",
      "tipping",
      "tippableAmount",
      "gratuity",
      "gratuityAmount",
      "askGratuity",
    ],
  },
  {
    message: "is not supported: the terminal hands out no cash. Leave the member out",
    members: [
      "cashBack",
      "cashBackAmount",
      "cashBackMoney",
      "maximumCashBackAmount",
      "cashOut",
      "cashOutAmount",
      "cashAmount",
    ],
  },
  {
    message:
      "is not supported: the terminal adds nothing to the amount. Leave the member out; totalAmountInclVat is all that the card is charged",
    members: ["surcharge", "surcharges", "surchargeAmount", "surchargeMoney", "serviceCharge", "serviceCharges"],
  },
  {
    message: "is not supported: a donation cannot be requested. Leave the member out",
    members: ["donation", "donationAmount", "donationMoney", "roundUp", "roundUpAmount"],
  },
  {
    message: "is not supported: an authorization cannot be raised. Leave the member out, and request another payment",
    members: [
      "incrementalAuthorization",
      "incrementalAuth",
      "incrementAuthorization",
      "requestIncrementalAuthorization",
      "additionalAmount",
      "overcapture",
      "requestOvercapture",
    ],
  },
  {
    message:
      "is not supported: a card is charged the whole amount or nothing. Leave the member out, and request a payment for each part",
    members: [
      "partialAuthorization",
      "partialAuth",
      "partialApproval",
      "allowPartialAuthorization",
      "allowPartialAuth",
      "allowPartialApproval",
      "acceptPartialAuthorization",
      "requestPartialAuthorization",
      "minimumSplitAmount",
      "splitPaymentFlag",
    ],
  },
];

/** A name without case, separators and British spelling: `tip_amount` and `TipAmount` are one. */
const lettersOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "")
    .replaceAll("authoris", "authoriz");

const known = new Map(
  unsupported.flatMap(({ message, members }) => members.map((field) => [lettersOf(field), { field, message }])),
);

/**
 * The members of a body that ask for money which the platform does not take. The names are the platform's own spelling. `null`, 0 and
 * `false` ask for nothing. (API behaviour 2)
 *
 * @param takes the members that the operation takes, in their own spelling
 */
export function unsupportedMoney(sent: unknown, takes: readonly string[] = []): FieldProblem[] {
  if (typeof sent !== "object" || sent === null) return [];
  return Object.entries(sent).flatMap(([name, value]: [string, unknown]) => {
    const found = takes.includes(name) ? undefined : known.get(lettersOf(name));
    const asksForNothing = value === undefined || value === null || value === 0 || value === false;
    return found && !asksForNothing ? [{ ...found, code: "not_supported" as const }] : [];
  });
}
