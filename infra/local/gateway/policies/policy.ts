import type { Call } from "../call.ts";
import type { PolicyElement } from "../policy-xml.ts";
import type { RateCounters } from "../rate-counters.ts";

export type SectionName = "inbound" | "backend" | "outbound" | "on-error";
export type ScopeName = "global" | "product" | "api" | "operation";

/** `answered` ends the course of the policies: the answer is in the call. */
export type Outcome = "next" | "answered";

/** A policy made ready to run. What goes wrong is thrown as `PolicyFailure`. */
export type Step = (call: Call) => Outcome;

/** Where a policy stands, and what it may use. */
export interface Surroundings {
  readonly section: SectionName;
  readonly scope: ScopeName;
  /** What `set-header` and `set-body` change here. */
  readonly message: "request" | "answer";
  readonly counters: RateCounters;
  /** Compiles the policies that stand inside this one. */
  compile(elements: readonly PolicyElement[]): Step;
}

/** One element of the policy language as far as our own policies use it: anything else about it stops start-up. */
export interface Policy {
  readonly sections: readonly SectionName[];
  readonly scopes: readonly ScopeName[];
  /** Must stand in its section itself: not in another policy, nor in a fragment. */
  readonly direct?: boolean;
  compile(element: PolicyElement, surroundings: Surroundings): Step;
}

export const everySection: readonly SectionName[] = ["inbound", "backend", "outbound", "on-error"];
export const everyScope: readonly ScopeName[] = ["global", "product", "api", "operation"];
