import type { Expected, Envelope } from "../../domain/effects.ts";
import { advance } from "../../domain/payment/life/advance.ts";
import { markDuplicate } from "../../domain/payment/requests/duplicate.ts";
import { holdsTerminal, slotOf, type Payment, type StatusReason } from "../../domain/payment/record/payment.ts";
import { ok } from "../../domain/result.ts";
import type { Instant } from "../../domain/time.ts";
import type { CallContext } from "../../ports/clock.ts";
import { Conflict } from "../../ports/failures.ts";
import type { StoredPayment } from "../../stores/payments.ts";
import { paymentKeyOf, isSamePayment, type PaymentKey } from "../../ports/subjects.ts";
import type { StoredClaim } from "../../stores/terminals.ts";
import { amendPayment } from "./amend-payment.ts";
import { commitPayment, type CommitPaymentDeps } from "./commit-payment.ts";
import { takeOrder } from "./order-holders.ts";
import type { Needs } from "../needs.ts";

export type ClaimTerminalDeps = CommitPaymentDeps & Needs<"bells" | "inboxes" | "orders" | "terminals" | "timings">;

/** The message that starts the payment, and the command that sends it. */
export interface Admission {
  readonly commandId: string;
  readonly envelope: Envelope;
  readonly expected?: Expected | undefined;
  /** When the payment's request was committed. */
  readonly at?: Instant | undefined;
}

/**
 * Admits a committed payment. Enters it in its order's list, then claims the terminal together with the slot in its inbox. If two sessions
 * passed the early check, one is admitted. The other ends `failed` and never reaches the terminal.
 *
 * While terminal and order are as the request read them, nothing is read again. Any change since then makes a write on its ETag fail, and
 * then everything is read.
 */
export async function claimTerminal(
  deps: ClaimTerminalDeps,
  call: CallContext,
  key: PaymentKey,
  admission: Admission,
): Promise<"implied"> {
  if (!(await admitAsExpected(deps, call, key, admission))) await admit(deps, call, key, admission);
  return "implied";
}

/**
 * Takes order and terminal with the ETags that the request read. False if one of them changed. The order's list was read before the payment
 * was committed. Every later update by the payment, including its end, has replaced the list. A withdrawn payment has used the slot. Each
 * of these makes the writes fail.
 */
async function admitAsExpected(
  deps: ClaimTerminalDeps,
  { traceparent }: CallContext,
  key: PaymentKey,
  { commandId, expected, at, envelope: { terminalId, ...envelope } }: Admission,
): Promise<boolean> {
  if (!expected || at === undefined) return false;
  const { order, claim: held } = expected;
  const claim = { ...paymentKeyOf(key), commandId };
  try {
    if (order) {
      const { strict, etag, ...orderKey } = order;
      const holder = { ...paymentKeyOf(key), strict, hold: "living", since: at } as const;
      await deps.orders.save(orderKey, [holder], etag === undefined ? undefined : { holders: [], etag });
    }
    const message = { ...envelope, messageId: commandId, traceparent };
    await deps.inboxes.admit(terminalId, message, claim, held === undefined ? undefined : { ...claim, etag: held });
    deps.bells.ring(terminalId);
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}

/** Reads everything again and decides. */
async function admit(
  deps: ClaimTerminalDeps,
  call: CallContext,
  key: PaymentKey,
  { commandId, envelope: { terminalId, ...envelope } }: Admission,
): Promise<void> {
  const stored = await deps.payments.find(key);
  if (stored?.payment.status !== "pending") return;
  const { payment } = stored;
  const [view, slotState] = await Promise.all([
    deps.terminals.find(payment.terminalId),
    deps.inboxes.find(payment.terminalId, slotOf(payment)),
  ]);
  if (slotState) {
    // Another copy of the announcement decided. If it refused the payment, the payment may still have to be ended.
    if (slotState.refused) await fail(deps, call, stored, slotState.refused);
    return;
  }
  const claim = view?.claim;
  const { possibleDuplicateOf, ...atOrder } = await takeOrder(deps, stored, call.now());
  const rejection = atOrder.rejection ?? (await whyBusy(deps, payment, claim));
  if (rejection) return reject(deps, call, stored, rejection);
  if (possibleDuplicateOf !== undefined) await mark(deps, call, key, possibleDuplicateOf);
  const message = { ...envelope, messageId: commandId, traceparent: call.traceparent };
  await deps.inboxes.admit(terminalId, message, { ...paymentKeyOf(payment), commandId }, claim);
  deps.bells.ring(terminalId);
}

/**
 * Marks the payment as a possible duplicate. The mark is committed before the terminal can get the payment, so that a crash does not lose
 * it.
 */
const mark = (deps: ClaimTerminalDeps, call: CallContext, key: PaymentKey, sessionId: string) =>
  amendPayment(deps, call, {
    key,
    decide: (payment, context) => ok(markDuplicate(payment, sessionId, context) ?? "unchanged"),
  });

/**
 * Why the terminal is not free; undefined if it is free. A claim is never released, so another payment's claim counts only while that
 * payment holds the terminal.
 */
async function whyBusy(
  deps: ClaimTerminalDeps,
  payment: Payment,
  claim: StoredClaim | undefined,
): Promise<StatusReason | undefined> {
  const holder = claim && !isSamePayment(claim, payment) ? await deps.payments.find(claim) : undefined;
  return holder && holdsTerminal(holder.payment.status) ? "terminalBusy" : undefined;
}

/**
 * Refuses the payment. First withdraws its slot, which must be unused. From then on it is certain that the terminal never gets the payment.
 */
async function reject(
  deps: ClaimTerminalDeps,
  call: CallContext,
  stored: StoredPayment,
  reason: StatusReason,
): Promise<void> {
  await deps.inboxes.withdraw(stored.payment.terminalId, slotOf(stored.payment), undefined, reason);
  await fail(deps, call, stored, reason);
}

async function fail(
  deps: ClaimTerminalDeps,
  call: CallContext,
  { payment, etag }: StoredPayment,
  reason: StatusReason,
): Promise<void> {
  const commandId = call.newId();
  const context = { now: call.now(), commandId, timings: deps.timings };
  const change = advance(payment, { ...context, event: "refused", by: "platform", reason });
  if (change) await commitPayment(deps, call, { change, before: payment, etag, commandId });
}
