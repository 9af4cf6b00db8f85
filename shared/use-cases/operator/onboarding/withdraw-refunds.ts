import { isFinal, type Payment, type Refund } from "../../../domain/payment/record/payment.ts";
import { concludeRefund } from "../../../domain/payment/requests/refund.ts";
import { ok } from "../../../domain/result.ts";
import type { CallContext } from "../../../ports/clock.ts";
import { paymentKeyOf } from "../../../ports/subjects.ts";
import type { TerminalView } from "../../../stores/terminals.ts";
import type { Needs } from "../../needs.ts";
import { amendPayment, type AmendPaymentDeps } from "../../payments/amend-payment.ts";
import { openMessages, taking, unfetched } from "../../terminals/open-messages.ts";
import { type InService, openPaymentsOn } from "./terminals.ts";

export type WithdrawRefundsDeps = AmendPaymentDeps & Needs<"inboxes" | "marks">;

/**
 * Withdraws the refunds that a terminal has not fetched, so that it can be retired: each fails as `notDelivered`, with its event. Withdraws
 * nothing if anything else is open on the terminal: a message that it has fetched, a payment that is not final, or a charge that is being
 * given back. Undefined if only those refunds were open. Throws `Conflict` if the terminal fetches meanwhile.
 */
export async function withdrawRefunds(
  deps: WithdrawRefundsDeps,
  call: CallContext,
  { terminal }: TerminalView,
): Promise<InService | undefined> {
  const rows = await deps.inboxes.unanswered(terminal.terminalId);
  const fetched = rows.filter(({ state }) => state === "fetched").length;
  if (fetched > 0) return { why: "messages", messages: fetched };
  const keys = await openPaymentsOn(deps, terminal);
  const found = await Promise.all(keys.map(async (key) => (await deps.payments.find(key))?.payment));
  const payments = found.filter((payment) => payment !== undefined);
  const others = payments.filter((payment) => !isOnlyRefunding(payment));
  if (others.length > 0) return { why: "payments", payments: others.map(paymentKeyOf) };
  for (const payment of payments)
    for (const { refundId } of payment.refunds.filter(isPending)) await withdraw(deps, call, payment, refundId);
  return undefined;
}

const isPending = ({ status }: Refund): boolean => status === "pending";

/** Whether nothing of the payment is open but refunds of which the outcome is not in doubt. */
const isOnlyRefunding = ({ status, charges, refunds }: Payment): boolean =>
  isFinal(status) &&
  charges.every((charge) => charge.status !== "reversing") &&
  refunds.every((refund) => !isPending(refund) || refund.statusReason === undefined);

const withdraw = (deps: WithdrawRefundsDeps, call: CallContext, payment: Payment, refundId: string): Promise<unknown> =>
  amendPayment<never, Awaited<ReturnType<typeof openMessages>>>(deps, call, {
    key: paymentKeyOf(payment),
    read: () => openMessages(deps, payment),
    decide(latest, context, { read: open }) {
      const refund = latest.refunds.find((one) => one.refundId === refundId && isPending(one));
      const message = refund && unfetched(latest, open, refund.sequence);
      const outcome = { status: "failed", statusReason: "notDelivered" } as const;
      const change = message && refund && concludeRefund(latest, refund, outcome, { ...context, by: "operator" });
      return ok(taking(change ?? "unchanged", message ? [message] : []));
    },
  });
