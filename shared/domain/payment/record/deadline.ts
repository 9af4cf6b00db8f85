import * as z from "zod";
import type { RecordOf } from "../../record.ts";
import { instant } from "../../time.ts";

const ofStates = ["acceptance", "expiry", "answer", "capture", "outcome", "doubt"] as const;
/** The deadlines of a payment's states. A pending refund has `outcome`, then `doubt`, of its own. */
export type StateDeadline = (typeof ofStates)[number];

/** Something that a payment awaits, and until when. */
export const deadlineRecord = z.object({
  /** `reversal` ends a try to give a charge back. `nextReversal` starts the next of several reversals. */
  name: z.enum([...ofStates, "reversal", "nextReversal"]),
  /** The refund or charge that it is about. Absent if it is about the payment. */
  about: z.string().optional(),
  at: instant,
});
export interface Deadline extends RecordOf<typeof deadlineRecord> {}

export const isOfState = (name: Deadline["name"]): name is StateDeadline =>
  (ofStates as readonly string[]).includes(name);
