import type { Call } from "../call.ts";
import type { PolicyElement } from "../policy-xml.ts";
import type { RateCounters } from "../rate-counters.ts";

export type SectionName = "inbound" | "backend" | "outbound" | "on-error";
export type ScopeName = "global" | "product" | "api" | "operation";

/** `answered` ends the course of the policies: the response is in the call. */
export type Outcome = "next" | "answered";

/** A compiled policy. It throws a failure as `PolicyFailure`. Only a policy that reads the body takes time. */
export type Step = (call: Call) => Outcome | Promise<Outcome>;

/** The position of a policy, and what it may use there. */
export interface Surroundings {
  readonly section: SectionName;
  readonly scope: ScopeName;
  /** Whether `set-header` and `set-body` change the request or the response here. */
  readonly message: "request" | "answer";
  readonly counters: RateCounters;
  /** The numbers of each limit by key, by the text of its key. */
  readonly limitsByKey: Map<string, string>;
  /** `cors` takes an origin of loopback in its list for every origin of loopback. */
  readonly anyLoopbackOrigin: boolean;
  /** The names in the operation's URL template. */
  readonly parameters: readonly string[];
  /** Compiles the policies inside this one. */
  compile(elements: readonly PolicyElement[]): Step;
}

/** One element of the policy language, with the features that our own policies use. Any other use stops start-up. */
export interface Policy {
  readonly sections: readonly SectionName[];
  readonly scopes: readonly ScopeName[];
  /** Must be a direct child of its section, once: not inside another policy, nor in a fragment. */
  readonly direct?: boolean;
  compile(element: PolicyElement, surroundings: Surroundings): Step;
}

export const everySection: readonly SectionName[] = ["inbound", "backend", "outbound", "on-error"];
export const everyScope: readonly ScopeName[] = ["global", "product", "api", "operation"];
