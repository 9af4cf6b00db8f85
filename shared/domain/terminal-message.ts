import * as z from "zod";
import { minorUnits } from "./minor-units.ts";
import { tipChoicesRecord } from "./payment/record/tip.ts";
import type { RecordOf } from "./record.ts";

/** A message from the platform to a terminal. */
export const terminalMessageRecord = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("payment"),
    amount: minorUnits,
    vat: minorUnits.optional(),
    currency: z.string(),
    captureMode: z.enum(["manual", "automatic"]),
    /** Absent if the terminal must not ask for a tip. */
    tip: tipChoicesRecord.optional(),
    merchantName: z.string().optional(),
    orderId: z.string().optional(),
  }),
  z.object({ type: z.literal("cancel") }),
  /**
   * Requests the state of the payment, or of this refund of it. `first`: the platform was restored from an export. It hands out no other
   * message of the session before this one is answered.
   */
  z.object({ type: z.literal("statusQuery"), refundId: z.string().optional(), first: z.boolean().optional() }),
  z.object({ type: z.literal("capture"), chargeId: z.string().optional(), amount: minorUnits, currency: z.string() }),
  z.object({ type: z.literal("void"), chargeId: z.string().optional(), amount: minorUnits, currency: z.string() }),
  z.object({
    type: z.literal("refund"),
    refundId: z.string(),
    /** Absent if the operator resolved the payment and no charge is known. */
    chargeId: z.string().optional(),
    amount: minorUnits,
    currency: z.string(),
    reason: z.string(),
  }),
  z.object({
    type: z.literal("discount"),
    discountId: z.string(),
    amount: minorUnits,
    newTotal: minorUnits,
    newVat: minorUnits.optional(),
    currency: z.string(),
    /** The question for a tip once the discount is applied. Absent if the terminal must not ask for one. */
    tip: tipChoicesRecord.optional(),
  }),
  z.object({
    type: z.literal("actionAnswer"),
    actionRequestId: z.string(),
    responseCode: z.enum(["accepted", "declined", "expired", "cancelled"]),
  }),
]);
export type TerminalMessage = RecordOf<typeof terminalMessageRecord>;
export type TerminalMessageType = TerminalMessage["type"];
