import * as z from "zod";
import { namedAlertRecord } from "../../alert.ts";
import { minorUnits } from "../../minor-units.ts";
import type { RecordOf } from "../../record.ts";
import { day, instant } from "../../time.ts";
import { receiptKinds } from "./card.ts";
import { actors, paymentEvents } from "./events.ts";
import { paymentStates, statusReasons } from "./payment.ts";
import { saidRecord } from "./said.ts";

/** One entry of a payment's history. `from` equals `to` if the change was not a transition. */
export const historyEntryRecord = z.object({
  sequence: z.int(),
  at: instant,
  by: z.enum(actors),
  event: z.enum(["request", ...paymentEvents]),
  from: z.enum(paymentStates).optional(),
  to: z.enum(paymentStates),
  reason: z.enum(statusReasons).optional(),
  /** The amount of the payment, capture, refund or discount, as requested or recorded. A reported charge has its amount in `said`. */
  amount: minorUnits.optional(),
  reportId: z.string().optional(),
  /** The message that the report answers, if known. */
  messageId: z.string().optional(),
  /** The report's statement about money. */
  said: saidRecord.optional(),
  /** The terminal's own text, or an operator's note for the partner. */
  detail: z.string().optional(),
  /** The operator who decided, the reason, and the acquirer's reference if money was returned outside. No partner reads it. */
  operator: z.object({ by: z.string(), why: z.string(), reference: z.string().optional() }).optional(),
  /** The business day that the terminal or an operator named. */
  businessDay: day.optional(),
  /** How long before `at` the reported event happened, in milliseconds, as the terminal said. */
  agoMs: z.int().optional(),
  /** The event is stale or contradictory. It is recorded, and the state stays. */
  recordedOnly: z.boolean().optional(),
  /** The kind of the receipt that the report printed, which has a row of its own. */
  printed: z.enum(receiptKinds).optional(),
  /** The alerts that the change raised. Absent if it raised none. */
  alerts: z.array(namedAlertRecord).optional(),
});
export interface HistoryEntry extends RecordOf<typeof historyEntryRecord> {}
