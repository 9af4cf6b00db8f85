import * as z from "zod";

/** A partition of a table, a table or all tables; a queue or all queues. */
export const faultTarget = z.union([
  z.strictObject({ tables: z.literal("all") }),
  z.strictObject({ table: z.string().min(1), partition: z.string().optional() }),
  z.strictObject({ queues: z.literal("all") }),
  z.strictObject({ queue: z.string().min(1) }),
]);
export type FaultTarget = z.infer<typeof faultTarget>;

/** An hour, so that a forgotten fault ends by itself. */
const MAX_SECONDS = 3_600;
const seconds = z.number().positive().max(MAX_SECONDS);

/**
 * The kinds of faults:
 *
 * - `busy`: the service rejects calls and asks for a later retry.
 * - `silent`: it never responds.
 * - `full`: it accepts no more messages.
 * - `forbidden`: it rejects the caller's rights.
 * - `away`: it cuts connections.
 * - `slow`: each response takes `milliseconds` longer.
 */
export const faultInput = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["busy", "silent", "full", "forbidden", "away"]), seconds }),
  z.strictObject({ kind: z.literal("slow"), milliseconds: z.int().min(1).max(60_000), seconds }),
]);
/** A fault and its duration in seconds. */
export type FaultInput = z.infer<typeof faultInput>;

/** A fault in force. `until` is in milliseconds since 1970. */
const faultInForce = z.discriminatedUnion("kind", [
  z.strictObject({
    target: faultTarget,
    until: z.number(),
    kind: z.enum(["busy", "silent", "full", "forbidden", "away"]),
  }),
  z.strictObject({ target: faultTarget, until: z.number(), kind: z.literal("slow"), milliseconds: z.int() }),
]);
export type Fault = z.infer<typeof faultInForce>;
export const faultList = z.array(faultInForce).readonly();
