import { advance, record, type Change, type Step } from "../../domain/payment/life/advance.ts";
import type { RecordedReport } from "../../domain/payment/reports/answered.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { forgottenRefunds } from "../../domain/payment/requests/doubted-refund.ts";
import { ok } from "../../domain/result.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { TerminalCall } from "../caller.ts";
import { amendPayment, type AmendPaymentDeps } from "./amend-payment.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { acknowledgeMessages } from "../terminals/acknowledge-message.ts";
import type { Needs } from "../needs.ts";

export type RequeryAfterRestartDeps = AmendPaymentDeps & Needs<"inboxes" | "terminals">;

/** A terminal's report that it has restarted. */
export interface Restart {
  readonly reportId: string;
  /** `lost`: the terminal may have carried out messages that it fetched and did not conclude, and no longer know it. */
  readonly memory: "kept" | "lost";
}

/**
 * Queries a restarted terminal about the payment that it holds, without waiting for a deadline. A state that the terminal reports as known
 * need not be the outcome. After a loss of memory this covers every payment of which the terminal has fetched a message. Only a report of
 * money, or an operator, ends the doubt. A refund that the terminal has fetched is not handed out again, since it may have been made.
 * Reporting the same start twice changes nothing.
 */
export async function requeryAfterRestart(
  deps: RequeryAfterRestartDeps,
  call: TerminalCall,
  restart: Restart,
): Promise<void> {
  const { partnerId, terminalId } = call.caller.terminal;
  if (restart.memory === "kept") {
    const { holder } = await deps.terminals.findClaim(terminalId);
    if (holder) await requery(deps, call, { ...holder, partnerId, terminalId }, restart);
    return;
  }
  await retryOnConflict(async () => {
    const { holder } = await deps.terminals.findClaim(terminalId);
    const rows = await deps.inboxes.unanswered(terminalId);
    const held = holder ? [holder.sessionId] : [];
    const fetched = rows.filter(({ state }) => state === "fetched");
    const messageIds = new Set(fetched.map(({ messageId }) => messageId));
    const fetchedSince = new Set<string>();
    for (const sessionId of new Set([...held, ...fetched.map(({ slot }) => slot.sessionId)])) {
      const payment = await doubt(deps, call, { partnerId, terminalId, sessionId }, { ...restart, messageIds });
      for (const { commandId, status, terminalForgot } of payment?.refunds ?? [])
        if (status === "pending" && !terminalForgot) fetchedSince.add(commandId);
    }
    // A refund that was fetched after this start was recorded is not in doubt. The terminal has its message, or gets it again.
    const refunds = fetched.filter(({ message }) => message.type === "refund");
    const over = refunds.filter(({ messageId }) => !fetchedSince.has(messageId));
    await acknowledgeMessages(deps, terminalId, over);
  });
}

/** Sends a status query. The terminal kept its memory. */
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

/**
 * Marks the payment and the refunds that the terminal had fetched as in doubt. The terminal lost its memory. It had nothing to forget of a
 * payment that it has not fetched.
 */
const doubt = (
  deps: RequeryAfterRestartDeps,
  call: TerminalCall,
  key: PaymentKey,
  { reportId, messageIds }: Restart & { readonly messageIds: ReadonlySet<string> },
): Promise<Payment | undefined> =>
  amendOnce(deps, call, { key, reportId }, (payment, step) => {
    const refunds = forgottenRefunds(payment, messageIds, step.now);
    if (payment.status === "pending" && !messageIds.has(payment.requestedBy)) return undefined;
    const forgot = { ...step, event: "forgot", ...(refunds && { set: { refunds } }) } as const;
    return advance(payment, forgot) ?? (refunds && record(payment, forgot));
  });

/** Changes the payment once for each start. Returns the payment after that; undefined if it does not exist. */
async function amendOnce(
  deps: RequeryAfterRestartDeps,
  call: TerminalCall,
  { key, reportId }: { readonly key: PaymentKey; readonly reportId: string },
  change: (payment: Payment, step: Omit<Step, "event">) => Change | undefined,
): Promise<Payment | undefined> {
  const amended = await amendPayment<never, RecordedReport | undefined>(deps, call, {
    key,
    read: () => deps.payments.findReport(key, reportId),
    decide: (payment, context, { read: known }) =>
      ok((known ? undefined : change(payment, { ...context, by: "terminal", reportId })) ?? "unchanged"),
  });
  return amended.ok ? amended.value.payment : undefined;
}
