import { advance, record, type Change, type Step } from "../../domain/payment/life/advance.ts";
import type { RecordedReport } from "../../domain/payment/reports/answered.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { forgottenRefunds } from "../../domain/payment/requests/doubted-refund.ts";
import { ok } from "../../domain/result.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { InboxRow } from "../../stores/inboxes.ts";
import type { TerminalCall } from "../caller.ts";
import { amendPayment, type AmendPaymentDeps } from "./amend-payment.ts";
import { openMessages } from "../terminals/open-messages.ts";
import type { Taking } from "../../stores/payments.ts";
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
  const { holder } = await deps.terminals.findClaim(terminalId);
  const fetched = (await deps.inboxes.unanswered(terminalId)).filter(isFetched);
  const messageIds = new Set(fetched.map(({ messageId }) => messageId));
  const held = holder ? [holder.sessionId] : [];
  for (const sessionId of new Set([...held, ...fetched.map(({ slot }) => slot.sessionId)]))
    await doubt(deps, call, { partnerId, terminalId, sessionId }, { ...restart, messageIds });
}

const isFetched = ({ state }: InboxRow): boolean => state === "fetched";

/** Sends a status query. The terminal kept its memory. */
const requery = (
  deps: RequeryAfterRestartDeps,
  call: TerminalCall,
  key: PaymentKey,
  { reportId }: Restart,
): Promise<unknown> =>
  amendOnce(deps, call, { key, reportId }, (payment, step) =>
    advance(payment, {
      ...step,
      event: "started",
      effects: [{ kind: "message", message: { type: "statusQuery" } }],
    }),
  );

/** The most messages that the change removes. Its group has a hundred rows at most. */
const MOST_REMOVED = 80;

/**
 * Marks the payment and the refunds that the terminal had fetched as in doubt, and removes the messages of these refunds. The terminal lost
 * its memory. It had nothing to forget of a payment that it has not fetched.
 *
 * @param messageIds the messages that it had fetched when the start was reported. It may fetch others while the start is recorded
 */
async function doubt(
  deps: RequeryAfterRestartDeps,
  call: TerminalCall,
  key: PaymentKey,
  { reportId, messageIds }: Restart & { readonly messageIds: ReadonlySet<string> },
): Promise<void> {
  const amended = await amendOnce(deps, call, { key, reportId }, (payment, step, open) => {
    if (payment.status === "pending" && !messageIds.has(payment.requestedBy)) return undefined;
    const refunds = forgottenRefunds(payment, messageIds, step.now);
    const forgot = { ...step, event: "forgot", ...(refunds && { set: { refunds } }) } as const;
    const change = advance(payment, forgot) ?? (refunds && record(payment, forgot));
    return change && { ...change, removed: forgottenMessages(change.payment, open).slice(0, MOST_REMOVED) };
  });
  if (!amended.ok) return;
  const { payment, replayed, read } = amended.value;
  const forgotten = forgottenMessages(payment, read.open);
  await deps.inboxes.remove(key.terminalId, replayed ? forgotten : forgotten.slice(MOST_REMOVED));
}

/** The fetched messages of refunds, except of those that the terminal has fetched since its start was recorded. */
function forgottenMessages({ refunds }: Payment, open: readonly InboxRow[]): readonly InboxRow[] {
  const fetchedSince = refunds.filter(({ status, terminalForgot }) => status === "pending" && !terminalForgot);
  const known = new Set(fetchedSince.map(({ commandId }) => commandId));
  return open.filter((row) => isFetched(row) && row.message.type === "refund" && !known.has(row.messageId));
}

/** Changes the payment once for each start. */
const amendOnce = (
  deps: RequeryAfterRestartDeps,
  call: TerminalCall,
  { key, reportId }: { readonly key: PaymentKey; readonly reportId: string },
  change: (payment: Payment, step: Omit<Step, "event">, open: readonly InboxRow[]) => (Change & Taking) | undefined,
) =>
  amendPayment<never, Reading>(deps, call, {
    key,
    async read() {
      const [known, open] = await Promise.all([deps.payments.findReport(key, reportId), openMessages(deps, key)]);
      return { known, open };
    },
    decide: (payment, context, { read: { known, open } }) =>
      ok((known ? undefined : change(payment, { ...context, by: "terminal", reportId }, open)) ?? "unchanged"),
  });

/** The start as it was recorded before, and the messages of the payment that the terminal has not answered. */
interface Reading {
  readonly known: RecordedReport | undefined;
  readonly open: readonly InboxRow[];
}
