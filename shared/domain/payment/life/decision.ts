import type { Refusal, RefusalCode } from "../../refusal.ts";
import type { Result } from "../../result.ts";
import type { Change, Step } from "./advance.ts";

/** The time of a decision, the command that would commit it, and the durations for the deadlines that it may set. */
export type DecisionContext = Pick<Step, "now" | "commandId" | "timings">;

/** A decision on a payment: the change to commit, or `unchanged` if the payment is already as requested. */
export type Decision<Code extends RefusalCode = never> = Result<Change | "unchanged", Refusal<Code>>;
