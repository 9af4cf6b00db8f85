import * as z from "zod";
import { amount, currency } from "../amount.ts";
import { accessTokenID, chargeID, createdAt, discountID, instant, refundID, updatedAt } from "../fields.ts";
import { acquirer, card, evidence } from "./card-receipt.ts";
import { declineCode, hostCode } from "./decline-codes.ts";
import {
  chargeStatus,
  discountStatus,
  discountStatusReason,
  refundStatus,
  refundStatusReason,
} from "./payment-values.ts";

// The refunds, charges and discounts of a payment, as partners see them.

const text = z.string();

export const fetched = z
  .boolean()
  .optional()
  .meta({ description: "Whether the terminal may have fetched the message. Only `GET /pos-payment` tells it." });

export const refund = z
  .object({
    refundID,
    refundAmount: amount,
    requestedAmount: amount.optional().meta({ description: "The requested amount, if another one was refunded." }),
    refundReason: text.meta({ description: "The reason of the refund." }),
    chargeID: chargeID
      .optional()
      .meta({ description: "The `kept` charge that is refunded. Absent for the payment's own charge." }),
    status: refundStatus,
    statusReason: refundStatusReason.optional(),
    statusDetail: text.optional().meta({ description: "The terminal's text for a failure." }),
    declineCode: declineCode.optional(),
    hostCode: hostCode.optional(),
    card: card.optional(),
    acquirer: acquirer.optional(),
    deliverBefore: instant.optional().meta({
      description: "If the terminal has not fetched the pending refund by then, the refund fails as `notDelivered`.",
    }),
    fetched,
    createdAt,
    updatedAt,
  })
  .meta({ id: "Refund", description: "Money that is returned to the customer." });

export const charge = z
  .object({
    chargeID,
    amount: amount.meta({ description: "In the major unit of the charge's own currency." }),
    currency,
    status: chargeStatus,
    contradicted: z.boolean().optional().meta({
      description:
        "`true` if the terminal reported a void of the charge that nobody requested, or a capture of it in another currency. Until an operator decides, captures, cancels and refunds are refused.",
    }),
    card: card.optional(),
    acquirer: acquirer.optional(),
    capture: evidence.optional(),
    reversal: evidence.optional(),
    declineCode: declineCode.optional(),
    hostCode: hostCode.optional(),
    createdAt,
    updatedAt,
  })
  .meta({
    id: "Charge",
    description:
      "A charge of a card by the terminal. `card` and `acquirer` are of its approval. `capture` and `reversal` have those of its capture and its return. `declineCode` says why the latest try to return it failed.",
  });

export const discountTexts = {
  voucherUnavailable: "This voucher was used or ended before the discount was applied.",
  outcomeUnknown: "It is not known yet whether this discount was applied.",
} as const;

export const discount = z
  .object({
    discountID,
    discountAmount: amount,
    discountPercent: z.number().optional().meta({ description: "The requested percentage." }),
    accessTokenID: accessTokenID.optional().meta({ description: "The voucher that pays for the discount." }),
    reason: text.optional().meta({ description: "The reason of the discount." }),
    status: discountStatus,
    statusReason: discountStatusReason.optional(),
    statusText: z
      .string()
      .optional()
      .meta({ description: "The reason as a sentence that a cashier can read to the customer." }),
    createdAt,
    updatedAt,
  })
  .meta({ id: "Discount", description: "A discount. It counts when the terminal has applied it." });
