import type { Call } from "../call.ts";
import type { PolicyElement } from "../policy-xml.ts";
import type { RateCounters } from "../rate-counters.ts";

export type SectionName = "inbound" | "backend" | "outbound" | "on-error";
export type ScopeName = "global" | "product" | "api" | "operation";

/** `answered` ends the run of the policies. The response is then in the call. */
export type Outcome = "next" | "answered";

/** A compiled policy. It throws `PolicyFailure` if it fails. Only a policy that reads the body is asynchronous. */
export type Step = (call: Call) => Outcome | Promise<Outcome>;

/** The position of a policy, and the tools that it may use there. */
export interface Surroundings {
  readonly section: SectionName;
  readonly scope: ScopeName;
  /** Whether `set-header` and `set-body` change the request or the response here. */
  readonly message: "request" | "answer";
  readonly counters: RateCounters;
  /** The numbers of each limit by key. The map's key is the text of the policy's key. */
  readonly limitsByKey: Map<string, string>;
  /** Whether an origin on loopback in a `cors` list means every origin on loopback. */
  readonly anyLoopbackOrigin: boolean;
  /** Whether `max-size` counts only a declared length. */
  readonly countsDeclaredLengthOnly: boolean;
  /** The names in the operation's URL template. */
  readonly parameters: readonly string[];
  /** Compiles the policies inside this one. */
  compile(elements: readonly PolicyElement[]): Step;
}

/** One element of the policy language, with the features that this product's policies use. Any other use stops the start. */
export interface Policy {
  readonly sections: readonly SectionName[];
  readonly scopes: readonly ScopeName[];
  /** Whether it must be a direct child of its section, and occur once. Then it may not be inside another policy or in a fragment. */
  readonly direct?: boolean;
  compile(element: PolicyElement, surroundings: Surroundings): Step;
}

export const everySection: readonly SectionName[] = ["inbound", "backend", "outbound", "on-error"];
export const everyScope: readonly ScopeName[] = ["global", "product", "api", "operation"];
