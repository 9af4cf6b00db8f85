import { advance } from "../../domain/payment/advance.ts";
import { holdsTerminal, placeOf, type Payment, type StatusReason } from "../../domain/payment/payment.ts";
import type { Effect } from "../../domain/effects.ts";
import type { Timings } from "../../domain/timings.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import type { Orders } from "../../ports/orders.ts";
import type { StoredPayment } from "../../ports/payments.ts";
import type { Inboxes, Terminals } from "../../ports/terminals.ts";
import { findDuplicate, isSame } from "./find-duplicate.ts";
import { commitPayment, type CommitPaymentDeps } from "../outbox/commit-payment.ts";
import type { Work } from "../outbox/deliver.ts";
import type { PaymentKey } from "../../ports/subjects.ts";

export interface ClaimTerminalDeps extends CommitPaymentDeps {
  readonly terminals: Terminals;
  readonly inboxes: Inboxes;
  readonly orders: Orders;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly timings: Timings;
}

/**
 * Lets a committed payment in: takes the order, then the terminal together with the place in its inbox. Of two sessions that
 * raced past the early check one gets in; the other ends `failed`, never having reached the terminal.
 */
export async function claimTerminal(
  deps: ClaimTerminalDeps,
  key: PaymentKey,
  { command, effect }: Pick<Work<Extract<Effect, { kind: "admission" }>>, "command" | "effect">,
  traceparent?: string,
): Promise<"done"> {
  const stored = await deps.payments.find(key);
  if (!stored || stored.payment.status !== "pending") return "done";
  const { payment } = stored;
  const place = placeOf(payment);
  const [view, there] = await Promise.all([
    deps.terminals.find(payment.terminalId),
    deps.inboxes.find(payment.terminalId, place),
  ]);
  if (there) {
    // Another copy of the announcement decided. Where that was a refusal, its end may still have to be told.
    return there.refused ? fail(deps, stored, there.refused) : "done";
  }

  if (!(await takeOrder(deps, payment))) return turnAway(deps, stored, "possibleDuplicate");

  const claim = view?.claim;
  const holder = claim && !isSame(claim, payment) ? await deps.payments.find(claim) : undefined;
  if (holder && holdsTerminal(holder.payment.status)) {
    return turnAway(deps, stored, "terminalBusy");
  }

  const { partnerId, sessionId } = payment;
  const { commandId } = command;
  const { terminalId, ...mailing } = effect.mailing;
  const message = { ...mailing, messageId: commandId, traceparent };
  await deps.inboxes.admit(terminalId, message, { partnerId, sessionId, commandId }, claim);
  return "done";
}

/** Enters the session in the order's list, unless another of the list forbids it. */
async function takeOrder(deps: ClaimTerminalDeps, payment: Payment): Promise<boolean> {
  const orderId = payment.references?.orderId;
  if (orderId === undefined) return true;
  const key = { merchantId: payment.merchantId, orderId };
  const order = await deps.orders.find(key);
  const holders = order?.holders ?? [];
  const { requested: amount } = payment.amounts;
  const duplicate = await findDuplicate(deps.payments, payment, { ...payment, amount }, holders);
  if (duplicate?.blocks) return false;
  const { partnerId, sessionId } = payment;
  if (!holders.some((h) => isSame(h, payment))) {
    await deps.orders.save(key, [...holders, { partnerId, sessionId, amount }], order);
  }
  return true;
}

/** The place first, and only where nothing is filed: from then on it is certain that the terminal never hears of it. */
async function turnAway(deps: ClaimTerminalDeps, stored: StoredPayment, reason: StatusReason): Promise<"done"> {
  await deps.inboxes.withdraw(stored.payment.terminalId, placeOf(stored.payment), undefined, reason);
  return fail(deps, stored, reason);
}

async function fail(deps: ClaimTerminalDeps, { payment, etag }: StoredPayment, reason: StatusReason): Promise<"done"> {
  const commandId = deps.newId();
  const step = {
    event: "refused",
    by: "platform",
    now: deps.clock.now(),
    commandId,
    timings: deps.timings,
    reason,
  } as const;
  const change = advance(payment, step);
  if (change) await commitPayment(deps, { change, etag, commandId });
  return "done";
}
