import { z } from "zod";
import type { ResolveWish } from "./source.ts";
import type { FaultWishView } from "./views/faults.ts";
import type { TerminalDeed } from "./views/terminals.ts";
import type { ReceiverView } from "./views/webhooks.ts";

// The bodies that the page sends, each read through its schema. The `satisfies` clauses hold the schemas to the page's own types.

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
  z.strictObject({ do: z.literal("approveOther"), amount }),
  z.strictObject({ do: z.literal("pullPlug"), forget: z.boolean() }),
  z.strictObject({ do: z.literal("closeDay"), lie: z.enum(["leavesOneOut", "countsOneTwice"]).optional() }),
  z.strictObject({ do: z.literal("askPartner"), actionCode: line, description: line }),
]) satisfies z.ZodType<TerminalDeed>;

/** The body of a request to the platform, which judges it. */
export const requestBody = z.record(z.string(), z.unknown());

export const resolveWish = z.strictObject({
  outcome: z.enum(["paid", "unpaid"]),
  sequence: z.int().positive(),
  amount: amount.optional(),
}) as unknown as z.ZodType<ResolveWish>;

export const receiver = z.strictObject({
  answer: z.enum(["200", "500", "410", "hang"]),
}) satisfies z.ZodType<ReceiverView>;

export const faultWish = z.strictObject({
  service: z.enum(["tables", "queues"]),
  name: line.optional(),
  kind: z.enum(["busy", "silent", "full", "forbidden", "slow", "away"]),
  seconds: z.number().positive().max(3_600),
  milliseconds: z.int().positive().max(60_000).optional(),
}) as unknown as z.ZodType<FaultWishView>;
