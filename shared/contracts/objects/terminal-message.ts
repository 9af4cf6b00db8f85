import { z } from "zod";
import { actionStates } from "../../domain/action-request.ts";
import { fromMinorUnits } from "../../domain/money.ts";
import type { TerminalMessage } from "../../domain/terminal-message.ts";
import { msBetween, type Instant } from "../../domain/time.ts";
import type { InboxRow } from "../../ports/terminals.ts";
import { amount, currency } from "../amount.ts";
import { actionRequestID, captureMode, discountID, messageID, refundID, sessionID } from "../fields.ts";

/** What stays due, however long it takes to reach the terminal, is handed out as good for another day. */
const STAYS_DUE_MS = 86_400_000;

const envelope = {
  messageID,
  sessionID: sessionID.optional().meta({ description: "Absent where the message belongs to no payment." }),
  sequence: z.int().meta({ description: "Of two messages of a session the higher is the newer." }),
  expiresInMs: z.int().min(0).meta({ description: "Measure it on a monotonic clock; do not begin after it." }),
  traceparent: z
    .string()
    .optional()
    .meta({ description: "The trace of what led to it: send it as the header of your reports on it." }),
};
const kind = <const Type extends string>(type: Type) => z.literal(type).meta({ description: "What is asked." });
const message = <Shape extends z.core.$ZodShape>(id: string, shape: Shape) =>
  z.object({ ...envelope, ...shape }).meta({ id: `${id}Message` });

/** A message as a terminal gets it. It measures `expiresInMs` on its own monotonic clock, and does not begin after it. */
export const terminalMessageObject = z
  .discriminatedUnion("type", [
    message("Payment", {
      type: kind("payment"),
      totalAmountInclVat: amount,
      totalVatAmount: amount.optional(),
      currency,
      captureMode: captureMode.meta({ description: "Whether to capture at once what is approved." }),
      merchantName: z.string().optional().meta({ description: "For the display and the receipt." }),
      orderId: z.string().optional().meta({ description: "The partner's order, for the receipt." }),
    }),
    message("Cancel", { type: kind("cancel") }),
    message("StatusQuery", {
      type: kind("statusQuery"),
      refundID: refundID.optional().meta({ description: "The refund that is asked about; else the payment." }),
    }),
    message("Capture", { type: kind("capture"), amount, currency }),
    message("Void", { type: kind("void"), amount, currency }),
    message("Refund", {
      type: kind("refund"),
      refundID,
      amount,
      currency,
      refundReason: z.string().meta({ description: "Why it is given back." }),
    }),
    message("Discount", {
      type: kind("discount"),
      discountID,
      amount,
      totalAmountInclVat: amount.meta({ description: "What is left to pay." }),
      totalVatAmount: amount.optional(),
      currency,
    }),
    message("ActionAnswer", {
      type: kind("actionAnswer"),
      actionRequestID,
      responseCode: z.enum(actionStates).exclude(["pending"]).meta({ description: "The partner's answer." }),
    }),
  ])
  .meta({ id: "TerminalMessage", description: "What the platform asks of a terminal." });
export type TerminalMessageObject = z.infer<typeof terminalMessageObject>;

export function toTerminalMessage(row: InboxRow, now: Instant): TerminalMessageObject {
  return {
    messageID: row.messageId,
    sessionID: row.spelledSessionId,
    sequence: row.place.sequence,
    traceparent: row.traceparent,
    expiresInMs: row.expiresAt === undefined ? STAYS_DUE_MS : Math.max(0, msBetween(now, row.expiresAt)),
    ...contents(row.message),
  };
}

function contents(message: TerminalMessage) {
  switch (message.type) {
    case "cancel":
      return { type: message.type };
    case "statusQuery":
      return { type: message.type, refundID: message.refundId };
    case "payment": {
      const { type, amount, vat, currency, captureMode, merchantName, orderId } = message;
      return {
        type,
        totalAmountInclVat: fromMinorUnits(amount, currency),
        totalVatAmount: vat === undefined ? undefined : fromMinorUnits(vat, currency),
        currency,
        captureMode,
        merchantName,
        orderId,
      };
    }
    case "actionAnswer": {
      const { type, actionRequestId, responseCode } = message;
      return { type, actionRequestID: actionRequestId, responseCode };
    }
    case "capture":
    case "void":
      return {
        type: message.type,
        amount: fromMinorUnits(message.amount, message.currency),
        currency: message.currency,
      };
    case "refund": {
      const { type, refundId, amount, currency, reason } = message;
      return { type, refundID: refundId, amount: fromMinorUnits(amount, currency), currency, refundReason: reason };
    }
    case "discount": {
      const { type, discountId, amount, newTotal, newVat, currency } = message;
      return {
        type,
        discountID: discountId,
        amount: fromMinorUnits(amount, currency),
        totalAmountInclVat: fromMinorUnits(newTotal, currency),
        totalVatAmount: newVat === undefined ? undefined : fromMinorUnits(newVat, currency),
        currency,
      };
    }
  }
}
