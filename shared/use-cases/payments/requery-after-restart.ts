import { advance } from "../../domain/payment/advance.ts";
import type { RecordedReport } from "../../domain/payment/answered.ts";
import { ok } from "../../domain/result.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { Inboxes, InboxRow } from "../../ports/terminals.ts";
import type { TerminalCall } from "../auth/caller.ts";
import { amendPayment, type AmendPaymentDeps } from "../outbox/amend-payment.ts";

export interface RequeryAfterRestartDeps extends AmendPaymentDeps {
  readonly inboxes: Inboxes;
}

/** A terminal's word that it started anew. */
export interface Restart {
  readonly reportId: string;
  /** `lost`: what it fetched before and did not end, it may have done without knowing. */
  readonly memory: "kept" | "lost";
}

/**
 * A terminal has started anew. What it holds is queried at once, instead of waiting for a deadline: what it lists as known need not be how
 * it ended. After a loss of memory that is every payment it has fetched something for, and only a report of money, or the operator, ends
 * the doubt. The same start reported twice changes nothing.
 */
export async function requeryAfterRestart(
  deps: RequeryAfterRestartDeps,
  call: TerminalCall,
  restart: Restart,
): Promise<void> {
  const { claim, terminal } = call.caller;
  if (restart.memory === "kept") {
    if (claim) await requery(deps, call, claim, restart);
    return;
  }
  const rows = await deps.inboxes.open(terminal.terminalId);
  const { partnerId } = terminal;
  const held = claim && !isUnfetched(rows, claim) ? [claim.sessionId] : [];
  const fetched = rows.filter(({ state }) => state === "fetched").map(({ place }) => place.sessionId);
  for (const sessionId of new Set([...held, ...fetched])) await requery(deps, call, { partnerId, sessionId }, restart);
}

/** The payment has not reached the terminal yet: there is nothing to forget. */
const isUnfetched = (rows: readonly InboxRow[], { sessionId }: PaymentKey): boolean =>
  rows.some(
    ({ place, state, message }) => place.sessionId === sessionId && state === "waiting" && message.type === "payment",
  );

async function requery(
  deps: RequeryAfterRestartDeps,
  call: TerminalCall,
  key: PaymentKey,
  { reportId, memory }: Restart,
): Promise<void> {
  await amendPayment<never, RecordedReport | undefined>(deps, call, {
    key,
    readBeside: () => deps.payments.findReport(key, reportId),
    decide(payment, context, known) {
      if (known) return ok("unchanged");
      const step = { ...context, by: "terminal", reportId } as const;
      if (memory === "lost") return ok(advance(payment, { ...step, event: "forgot" }) ?? "unchanged");
      const effects = [{ kind: "message", message: { type: "statusQuery" } }] as const;
      return ok(advance(payment, { ...step, event: "started", effects }) ?? "unchanged");
    },
  });
}
