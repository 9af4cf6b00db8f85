import type { OverdueMessage } from "../../domain/payment/reports/overdue.ts";
import { overdue, overdueBy, overdueMessage } from "../../domain/payment/reports/overdue.ts";
import { ok } from "../../domain/result.ts";
import type { Instant } from "../../domain/time.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { InboxRow } from "../../stores/inboxes.ts";
import { messageOf, openMessages, taking } from "../terminals/open-messages.ts";
import type { Outcome } from "../outbox/outcome.ts";
import { amendPayment, type AmendPaymentDeps } from "./amend-payment.ts";
import type { Needs } from "../needs.ts";

export type LookAtPaymentDeps = AmendPaymentDeps & Needs<"inboxes">;

/**
 * Acts on the first deadline up to a moment, and asks for a look at the next one. A look is due when it is delivered, so no clocks are
 * compared. The change takes the deadline's message if the terminal has not fetched it, or if its try is over.
 *
 * @param at the moment of the look
 */
export async function lookAtPayment(
  deps: LookAtPaymentDeps,
  call: CallContext,
  key: PaymentKey,
  at: Instant,
): Promise<Outcome> {
  const looked = await amendPayment<never, readonly InboxRow[]>(deps, call, {
    key,
    isLook: true,
    read: async (payment) => ((await payment()) ? openMessages(deps, key) : []),
    decide(payment, context, { read: open }) {
      const deadline = overdueBy(payment, at, context);
      if (!deadline) return ok("unchanged");
      const about = overdueMessage(payment, deadline, context);
      const message = about && messageOf(open, about.sequence);
      const change = overdue(payment, deadline, message?.state === "waiting", context) ?? "unchanged";
      return ok(taking(change, message && isTaken(about, message) ? [message] : []));
    },
  });
  if (!looked.ok) return "implied";
  const { payment, replayed: isUnchanged } = looked.value;
  const next = payment.deadlines.find((deadline) => !isUnchanged || deadline.at > at);
  return next ? { lookAt: next.at } : "implied";
}

/** Whether the change takes the message of its deadline. */
function isTaken({ act }: OverdueMessage, { state }: InboxRow): boolean {
  if (act === "giveUp") return true;
  return act === "withdraw" ? state === "waiting" : state === "fetched";
}
