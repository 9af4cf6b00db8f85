import * as z from "zod";
import { MAX_WORDS } from "../../../shared/domain/payment/record/record-limits.ts";
import type { Resolution } from "../../../shared/domain/payment/operator/resolution.ts";
import { day } from "../../../shared/domain/time.ts";
import type { ClosingInput, ResolveInput } from "./source.ts";
import type { FaultInput } from "./views/faults.ts";
import type { TerminalAction } from "./views/terminals.ts";
import type { ReceiverView } from "./views/webhooks.ts";

// The schemas of the bodies that the page sends. The `satisfies` clauses check the schemas against the page's own types.

const amount = z.int().min(0).max(99_999_999_99);
const line = z.string().min(1).max(200);

export const terminalDeed = z.union([
  z.strictObject({
    do: z.enum([
      "tap",
      "insert",
      "decline",
      "cancel",
      "secondCard",
      "answerTwice",
      "powerOn",
      "loseNetwork",
      "findNetwork",
    ]),
  }),
  z.strictObject({ do: z.enum(["approveOther", "tip"]), amount }),
  z.strictObject({ do: z.literal("pullPlug"), forget: z.boolean() }),
  z.strictObject({ do: z.literal("closeDay"), lie: z.enum(["leavesOneOut", "countsOneTwice"]).optional() }),
  z.strictObject({ do: z.literal("askPartner"), actionCode: line, description: line }),
]) satisfies z.ZodType<TerminalAction>;

/** The body of a request to the platform, which validates it. */
export const requestBody = z.record(z.string(), z.unknown());

const remark = (sentence: string) => z.string().trim().min(1, sentence).max(MAX_WORDS);

const who = { by: remark("Enter who decides."), why: remark("Enter why.") };
const remarks = {
  ...who,
  note: remark("Enter a note, or leave it out.").optional(),
  businessDay: day.optional(),
};

/** An operator's decision. Its amounts are in the currency's major unit. */
export const resolution = z.discriminatedUnion("of", [
  z.strictObject({
    of: z.literal("payment"),
    outcome: z.enum(["paid", "unpaid"]),
    amount: z.number().optional(),
    tip: z.number().optional(),
    chargeId: line.optional(),
    ...remarks,
  }),
  z.strictObject({
    of: z.literal("refund"),
    refundId: line,
    outcome: z.enum(["succeeded", "failed"]),
    amount: z.number().optional(),
    ...remarks,
  }),
  z.strictObject({ of: z.literal("charge"), chargeId: line, outcome: z.enum(["reversed", "kept"]), ...remarks }),
  z.strictObject({ of: z.literal("discount"), discountId: line, outcome: z.enum(["applied", "refused"]), ...remarks }),
  z.strictObject({
    of: z.literal("outside"),
    outcome: z.literal("refunded"),
    amount: z.number("Enter the returned amount."),
    reference: remark("Enter the acquirer's reference."),
    chargeId: line.optional(),
    ...remarks,
  }),
]) satisfies z.ZodType<Resolution>;

export const resolveInput = z.strictObject({
  sequence: z.int().positive(),
  said: resolution,
}) satisfies z.ZodType<ResolveInput>;

export const closingInput = z.strictObject(who) satisfies z.ZodType<ClosingInput>;

export const receiver = z.strictObject({
  answer: z.enum(["200", "500", "410", "hang"]),
}) satisfies z.ZodType<ReceiverView>;

export const faultInput = z.strictObject({
  service: z.enum(["tables", "queues"]),
  name: line.optional(),
  kind: z.enum(["busy", "silent", "full", "forbidden", "slow", "away"]),
  seconds: z.number().positive().max(3_600),
  milliseconds: z.int().positive().max(60_000).optional(),
}) as unknown as z.ZodType<FaultInput>;
