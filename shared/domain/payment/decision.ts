import type { Refusal, RefusalCode } from "../refusal.ts";
import type { Result } from "../result.ts";
import type { Change, Step } from "./advance.ts";

/** When a decision is made, the command that would commit it, and the settings of the deadlines that it may set. */
export type DecisionContext = Pick<Step, "now" | "commandId" | "timings">;

/** A decision on a payment: the change to commit, or `unchanged` where what is wanted is so already. */
export type Decision<Code extends RefusalCode = never> = Result<Change | "unchanged", Refusal<Code>>;
