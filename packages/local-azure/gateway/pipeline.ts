import { emptyAnswer, PolicyFailure, type Answer, type Call } from "./call.ts";
import type { ForwardRequest } from "./policies/forward-request.ts";
import type { Plan } from "./sections.ts";

/** Calls the backend on behalf of the call. */
export type AskBackend = (call: Call, options: ForwardRequest) => Promise<Answer>;

/**
 * Runs a call through its policies: inbound, backend, outbound. After a failure on-error runs, and outbound does not. `admit` decides,
 * before all policies, whether the call is accepted.
 */
export async function run(call: Call, plan: Plan, admit: () => void, ask: AskBackend): Promise<Answer> {
  try {
    admit();
    if ((await plan.inbound(call)) === "next") {
      call.answer = plan.forward ? await ask(call, plan.forward) : emptyAnswer(200, "OK");
      await plan.outbound(call);
      for (const act of call.atEnd) act();
    }
  } catch (error) {
    await recover(call, plan, toFailure(error));
  }
  const answer = call.answer ?? emptyAnswer(200, "OK");
  for (const [name, value] of call.cors) answer.headers.set(name, value);
  return answer;
}

/** Runs on-error. The response is API Management's, unless on-error sets another. If on-error fails, it stays as it is. */
async function recover(call: Call, plan: Plan, failure: PolicyFailure): Promise<void> {
  call.lastError = failure;
  call.answer = failure.answer;
  try {
    await plan.onError(call);
  } catch (error) {
    call.answer = toFailure(error).answer;
  }
}

/** Throws an error that is not a policy's failure. It is a defect of this gateway and must not be hidden behind a response. */
function toFailure(error: unknown): PolicyFailure {
  if (error instanceof PolicyFailure) return error;
  throw error;
}
