import { advance } from "../../domain/payment/advance.ts";
import { ok } from "../../domain/result.ts";
import type { TerminalCall } from "../auth/caller.ts";
import { amendPayment, type AmendPaymentDeps } from "../outbox/amend-payment.ts";

/**
 * A terminal has started anew. If it holds a payment, it is asked at once how that stands, instead of waiting for a deadline:
 * what it lists as known need not be how it ended. The same start reported twice asks once.
 */
export async function requeryAfterRestart(deps: AmendPaymentDeps, call: TerminalCall, reportId: string): Promise<void> {
  const { claim } = call.caller;
  if (!claim) return;
  await amendPayment<never, boolean>(deps, call, {
    key: claim,
    readBeside: () => deps.payments.hasReport(claim, reportId),
    decide(payment, context, isKnown) {
      if (isKnown) return ok("unchanged");
      const effects = [{ kind: "message", message: { type: "statusQuery" } }] as const;
      const change = advance(payment, { ...context, event: "started", by: "terminal", reportId, effects });
      return ok(change ?? "unchanged");
    },
  });
}
