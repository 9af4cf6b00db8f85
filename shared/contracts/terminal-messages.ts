import { fromMinorUnits } from "../domain/money.ts";
import type { TerminalMessage } from "../domain/terminal-message.ts";
import { msBetween, type Instant } from "../domain/time.ts";
import type { InboxRow } from "../ports/terminals.ts";

/** What stays due, however long it takes to reach the terminal, is handed out as good for another day. */
const STAYS_DUE_MS = 86_400_000;

/** A message as a terminal gets it. It measures `expiresInMs` on its own monotonic clock, and does not begin after it. */
export function toTerminalMessage(row: InboxRow, now: Instant) {
  return {
    messageID: row.messageId,
    sessionID: row.spelledSessionId,
    sequence: row.place.sequence,
    expiresInMs: row.expiresAt === undefined ? STAYS_DUE_MS : Math.max(0, msBetween(now, row.expiresAt)),
    ...contents(row.message),
  };
}
export type TerminalMessageObject = ReturnType<typeof toTerminalMessage>;

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
