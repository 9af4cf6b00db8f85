import * as z from "zod";
import { fromMinorUnits } from "../../domain/money.ts";
import type { TipChoices } from "../../domain/payment/record/tip.ts";
import type { InboxEntry } from "../../domain/terminal-inbox.ts";
import type { TerminalMessage, TerminalMessageType } from "../../domain/terminal-message.ts";
import { msBetween, type Instant } from "../../domain/time.ts";
import { amount, currency } from "../amount.ts";
import { actionRequestID, captureMode, chargeID, discountID, messageID, refundID, sessionID } from "../fields.ts";
import { values } from "../values.ts";

/** A message without a time limit is handed out as valid for another day. */
const STAYS_DUE_MS = 86_400_000;

const envelope = {
  messageID,
  sessionID: sessionID
    .optional()
    .meta({ description: "Absent if the message does not belong to a payment. Then it has an `actionRequestID`." }),
  sequence: z
    .int()
    .meta({ description: "If two messages belong to one session, the newer one has the higher number." }),
  expiresInMs: z.int().min(0).meta({
    description:
      "The time to start, in milliseconds from the arrival of the message. Measure it on a monotonic clock. Do not start later.",
  }),
  traceparent: z.string().optional().meta({
    description: "The trace of this message. Send it as the header `traceparent` of your reports about the message.",
  }),
};
const chargeToMove = chargeID
  .optional()
  .meta({ description: "The charge whose money moves. If absent, the session's first charge." });
const kind = <const Type extends string>(type: Type) => z.literal(type).meta({ description: "The kind of message." });
const tipQuestion = z
  .object({
    percents: z.array(z.int()).meta({ description: "Percentages of the amount to pay." }),
    amounts: z.array(amount).meta({ description: "Amounts in the currency's major unit." }),
    custom: z.boolean().meta({ description: "Whether the customer can enter an amount." }),
    maximum: amount.meta({ description: "The most that the customer can add. A payment with more is returned." }),
  })
  .meta({ id: "TipQuestion", description: "Ask the customer for a tip, with these choices. If absent, do not ask." });
const message = <Shape extends z.core.$ZodShape>(id: string, shape: Shape) =>
  z.object({ ...envelope, ...shape }).meta({ id: `${id}Message` });

/** A message as the terminal gets it. The terminal measures `expiresInMs` on its own monotonic clock, and does not begin after it. */
export const terminalMessageObject = z
  .discriminatedUnion("type", [
    message("Payment", {
      type: kind("payment"),
      totalAmountInclVat: amount,
      totalVatAmount: amount.optional(),
      currency,
      captureMode,
      tip: tipQuestion.optional(),
      merchantName: z.string().optional().meta({ description: "For the display and the receipt." }),
      orderId: z.string().optional().meta({ description: "The partner's order, for the receipt." }),
    }),
    message("Cancel", { type: kind("cancel") }),
    message("StatusQuery", {
      type: kind("statusQuery"),
      refundID: refundID
        .optional()
        .meta({ description: "The refund in question. If absent, the query is about the payment." }),
    }),
    message("Capture", { type: kind("capture"), chargeID: chargeToMove, amount, currency }),
    message("Void", { type: kind("void"), chargeID: chargeToMove, amount, currency }),
    message("Refund", {
      type: kind("refund"),
      refundID,
      chargeID: chargeToMove,
      amount,
      currency,
      refundReason: z.string().meta({ description: "The reason of the refund." }),
    }),
    message("Discount", {
      type: kind("discount"),
      discountID,
      amount,
      totalAmountInclVat: amount.meta({ description: "The amount left to pay." }),
      totalVatAmount: amount.optional(),
      currency,
      tip: tipQuestion
        .optional()
        .meta({ description: "The question once the discount is applied. If absent, do not ask." }),
    }),
    message("ActionAnswer", {
      type: kind("actionAnswer"),
      actionRequestID,
      responseCode: values("ActionAnswer", "The partner's answer.", {
        accepted: "The partner accepted it.",
        declined: "The partner declined it.",
        expired: "There was no answer in time.",
        cancelled: "The terminal withdrew it.",
      }),
    }),
  ])
  .meta({ id: "TerminalMessage", description: "A message of the platform to a terminal." });
export type TerminalMessageObject = z.infer<typeof terminalMessageObject>;

export const toTerminalMessage = (entry: InboxEntry, now: Instant): TerminalMessageObject => ({
  messageID: entry.messageId,
  sessionID: entry.sessionIdAsReceived,
  sequence: entry.slot.sequence,
  traceparent: entry.traceparent,
  expiresInMs: entry.expiresAt === undefined ? STAYS_DUE_MS : Math.max(0, msBetween(now, entry.expiresAt)),
  ...contentOf(entry.message.type, entry.message),
});

type Messages = { readonly [Each in TerminalMessage as Each["type"]]: Each };
type Contents = { readonly [Each in TerminalMessageObject as Each["type"]]: Omit<Each, keyof typeof envelope> };

/** `type` is a separate parameter, because only then can the compiler pair the message with the mapper of its type. */
const contentOf = <Type extends TerminalMessageType>(type: Type, message: Messages[Type]): Contents[Type] =>
  contents[type](message);

const shownTip = ({ percents, amounts, custom, maximum }: TipChoices, currency: string) => ({
  percents: percents.slice(),
  amounts: amounts.map((fixed) => fromMinorUnits(fixed, currency)),
  custom,
  maximum: fromMinorUnits(maximum, currency),
});

/** The content of a message without its envelope. */
const contents: { readonly [Type in TerminalMessageType]: (message: Messages[Type]) => Contents[Type] } = {
  payment: ({ type, amount, vat, currency, captureMode, tip, merchantName, orderId }) => ({
    type,
    totalAmountInclVat: fromMinorUnits(amount, currency),
    totalVatAmount: vat === undefined ? undefined : fromMinorUnits(vat, currency),
    currency,
    captureMode,
    tip: tip && shownTip(tip, currency),
    merchantName,
    orderId,
  }),
  cancel: ({ type }) => ({ type }),
  statusQuery: ({ type, refundId }) => ({ type, refundID: refundId }),
  capture: ({ type, chargeId, amount, currency }) => ({
    type,
    chargeID: chargeId,
    amount: fromMinorUnits(amount, currency),
    currency,
  }),
  void: ({ type, chargeId, amount, currency }) => ({
    type,
    chargeID: chargeId,
    amount: fromMinorUnits(amount, currency),
    currency,
  }),
  refund: ({ type, refundId, chargeId, amount, currency, reason }) => ({
    type,
    refundID: refundId,
    chargeID: chargeId,
    amount: fromMinorUnits(amount, currency),
    currency,
    refundReason: reason,
  }),
  discount: ({ type, discountId, amount, newTotal, newVat, currency, tip }) => ({
    type,
    discountID: discountId,
    amount: fromMinorUnits(amount, currency),
    totalAmountInclVat: fromMinorUnits(newTotal, currency),
    totalVatAmount: newVat === undefined ? undefined : fromMinorUnits(newVat, currency),
    currency,
    tip: tip && shownTip(tip, currency),
  }),
  actionAnswer: ({ type, actionRequestId, responseCode }) => ({ type, actionRequestID: actionRequestId, responseCode }),
};
