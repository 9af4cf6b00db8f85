import { advance, record, type Change, type Step } from "../../domain/payment/advance.ts";
import type { RecordedReport } from "../../domain/payment/answered.ts";
import type { Payment } from "../../domain/payment/payment.ts";
import { forgottenRefunds } from "../../domain/payment/refund.ts";
import { ok } from "../../domain/result.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { Inboxes, InboxRow, Terminals } from "../../ports/terminals.ts";
import type { TerminalCall } from "../auth/caller.ts";
import { amendPayment, type AmendPaymentDeps } from "../outbox/amend-payment.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { acknowledgeMessages } from "../terminals/acknowledge-message.ts";

export interface RequeryAfterRestartDeps extends AmendPaymentDeps {
  readonly terminals: Terminals;
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
 * the doubt; a refund that it has fetched is not handed out again, since it may have been made. The same start reported twice changes
 * nothing.
 */
export async function requeryAfterRestart(
  deps: RequeryAfterRestartDeps,
  call: TerminalCall,
  restart: Restart,
): Promise<void> {
  const { partnerId, terminalId } = call.caller.terminal;
  if (restart.memory === "kept") {
    const claim = await deps.terminals.findClaim(terminalId);
    if (claim) await requery(deps, call, claim, restart);
    return;
  }
  await retryOnConflict(async () => {
    const claim = await deps.terminals.findClaim(terminalId);
    const rows = await deps.inboxes.unanswered(terminalId); // after the claim, with which the payment's message was filed
    const held = claim && !isUnfetched(rows, claim) ? [claim.sessionId] : [];
    const fetched = rows.filter(({ state }) => state === "fetched");
    const messageIds = new Set(fetched.map(({ messageId }) => messageId));
    const fetchedSince = new Set<string>();
    for (const sessionId of new Set([...held, ...fetched.map(({ slot }) => slot.sessionId)])) {
      const payment = await doubt(deps, call, { partnerId, sessionId }, { ...restart, messageIds });
      for (const { commandId, status, terminalForgot } of payment?.refunds ?? [])
        if (status === "pending" && !terminalForgot) fetchedSince.add(commandId);
    }
    // A refund that was fetched after this start was recorded is not in doubt: the terminal has its message, or gets it again.
    const refunds = fetched.filter(({ message }) => message.type === "refund");
    const over = refunds.filter(({ messageId }) => !fetchedSince.has(messageId));
    await acknowledgeMessages(deps, terminalId, over);
  });
}

/** The payment has not reached the terminal yet: there is nothing to forget. */
const isUnfetched = (rows: readonly InboxRow[], { sessionId }: PaymentKey): boolean =>
  rows.some(
    ({ slot, state, message }) => slot.sessionId === sessionId && state === "waiting" && message.type === "payment",
  );

/** The terminal knows what it had, and is asked. */
const requery = (
  deps: RequeryAfterRestartDeps,
  call: TerminalCall,
  key: PaymentKey,
  { reportId }: Restart,
): Promise<Payment | undefined> =>
  amendOnce(deps, call, { key, reportId }, (payment, step) =>
    advance(payment, {
      ...step,
      event: "started",
      effects: [{ kind: "message", message: { type: "statusQuery" } }],
    }),
  );

/** The terminal knows nothing: neither of the payment nor of the refunds that it had fetched. */
const doubt = (
  deps: RequeryAfterRestartDeps,
  call: TerminalCall,
  key: PaymentKey,
  { reportId, messageIds }: Restart & { readonly messageIds: ReadonlySet<string> },
): Promise<Payment | undefined> =>
  amendOnce(deps, call, { key, reportId }, (payment, step) => {
    const refunds = forgottenRefunds(payment, messageIds, step.now);
    const forgot = { ...step, event: "forgot", ...(refunds && { set: { refunds } }) } as const;
    return advance(payment, forgot) ?? (refunds && record(payment, forgot));
  });

/** Changes the payment once for each start; answers how it stands then, or undefined where there is none. */
async function amendOnce(
  deps: RequeryAfterRestartDeps,
  call: TerminalCall,
  { key, reportId }: { readonly key: PaymentKey; readonly reportId: string },
  change: (payment: Payment, step: Omit<Step, "event">) => Change | undefined,
): Promise<Payment | undefined> {
  const amended = await amendPayment<never, RecordedReport | undefined>(deps, call, {
    key,
    readBeside: () => deps.payments.findReport(key, reportId),
    decide: (payment, context, known) =>
      ok((known ? undefined : change(payment, { ...context, by: "terminal", reportId })) ?? "unchanged"),
  });
  return amended.ok ? amended.value.payment : undefined;
}
