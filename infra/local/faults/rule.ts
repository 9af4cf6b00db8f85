import { z } from "zod";

/** A table's partition, a table, or the service as a whole; and the same of queues. */
export const faultTarget = z.union([
  z.strictObject({ tables: z.literal("all") }),
  z.strictObject({ table: z.string().min(1), partition: z.string().optional() }),
  z.strictObject({ queues: z.literal("all") }),
  z.strictObject({ queue: z.string().min(1) }),
]);
export type FaultTarget = z.infer<typeof faultTarget>;

/** An hour: a fault that somebody forgot ends by itself. */
const MAX_SECONDS = 3_600;
const seconds = z.number().positive().max(MAX_SECONDS);

/**
 * What goes wrong: `busy`, the service asks to come back later; `silent`, it never answers; `full`, no more is taken in; `forbidden`, the caller's
 * rights are gone; `away`, connections are cut; `slow`, each answer takes so many milliseconds longer.
 */
export const faultWish = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["busy", "silent", "full", "forbidden", "away"]), seconds }),
  z.strictObject({ kind: z.literal("slow"), milliseconds: z.int().min(1).max(60_000), seconds }),
]);
/** A fault and for how many seconds it shall last. */
export type FaultWish = z.infer<typeof faultWish>;

/** What is in force; `until` is in milliseconds since 1970. */
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
