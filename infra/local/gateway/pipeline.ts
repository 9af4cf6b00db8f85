import { emptyAnswer, PolicyFailure, type Answer, type Call } from "./call.ts";
import type { ForwardRequest } from "./policies/forward-request.ts";
import type { Plan } from "./sections.ts";

/** Asks the backend on behalf of the call. */
export type AskBackend = (call: Call, options: ForwardRequest) => Promise<Answer>;

/**
 * Runs a call through its policies: inbound, backend, outbound; what fails goes to on-error, and outbound does not run any more.
 * `admit` decides, before all policies, whether the call comes in at all.
 */
export async function run(call: Call, plan: Plan, admit: () => void, ask: AskBackend): Promise<Answer> {
  try {
    admit();
    if (plan.inbound(call) === "next") {
      call.answer = plan.forward ? await ask(call, plan.forward) : emptyAnswer(200, "OK");
      plan.outbound(call);
    }
  } catch (error) {
    recover(call, plan, toFailure(error));
  }
  const answer = call.answer ?? emptyAnswer(200, "OK");
  for (const [name, value] of call.cors) answer.headers.set(name, value);
  return answer;
}

/** Until on-error says otherwise the answer is API Management's own; it stays so when on-error fails too. */
function recover(call: Call, plan: Plan, failure: PolicyFailure): void {
  call.lastError = failure;
  call.answer = failure.answer;
  try {
    plan.onError(call);
  } catch (error) {
    call.answer = toFailure(error).answer;
  }
}

/** What is no failure of a policy is a mistake in this gateway, and is not hidden behind an answer. */
function toFailure(error: unknown): PolicyFailure {
  if (error instanceof PolicyFailure) return error;
  throw error;
}
