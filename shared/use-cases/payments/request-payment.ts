import { openPayment, sameRequest, type PaymentRequest } from "../../domain/payment/open-payment.ts";
import { holdsTerminal, type Payment } from "../../domain/payment/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { isOnline } from "../../domain/terminal.ts";
import type { Timings } from "../../domain/timings.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import { Conflict } from "../../ports/failures.ts";
import type { Orders } from "../../ports/orders.ts";
import type { StoredPayment, Tombstone } from "../../ports/payments.ts";
import type { Terminals, TerminalView } from "../../ports/terminals.ts";
import { findDuplicate } from "./find-duplicate.ts";
import { commitPayment, type CommitPaymentDeps } from "../outbox/commit-payment.ts";
import { reaches, type Caller } from "../auth/caller.ts";
import type { PaymentKey } from "../../ports/subjects.ts";

export interface RequestPaymentDeps extends CommitPaymentDeps {
  readonly terminals: Terminals;
  readonly orders: Orders;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly timings: Timings;
}

export interface RequestResult {
  readonly payment: Payment;
  /** The session was there already and asks for the same: this is how it stands now. */
  readonly replayed: boolean;
}

/**
 * Starts a payment on a terminal. Three round trips: three reads, two announcements, one commit. What is refused here is
 * refused early out of courtesy; the worker that takes the terminal decides. Nothing is written or queued for a refusal.
 */
export async function requestPayment(
  deps: RequestPaymentDeps,
  caller: Caller,
  request: PaymentRequest,
  traceparent?: string,
): Promise<Result<RequestResult, Refusal>> {
  if (!reaches(caller, request.terminalId)) return refuse({ code: "terminal_not_found" });
  const key = { partnerId: caller.partnerId, sessionId: request.sessionId };
  const orderId = request.references?.orderId;
  const [session, view, order] = await Promise.all([
    deps.payments.findOrTombstone(key),
    deps.terminals.find(request.terminalId),
    orderId === undefined ? undefined : deps.orders.find({ merchantId: request.merchantId, orderId }),
  ]);
  if (session) return existing(session, request);

  const refusal = await refuseEarly(deps, caller, request, view);
  if (refusal || !view) return refuse(refusal ?? { code: "terminal_not_found" });
  const strictOrder = view.terminal.strictOrders;
  const duplicate = await findDuplicate(deps.payments, key, { ...request, strictOrder }, order?.holders ?? []);
  if (duplicate?.blocks) return refuse({ code: "possible_duplicate", sessionId: duplicate.sessionId });

  const commandId = deps.newId();
  const change = openPayment(request, {
    partnerId: caller.partnerId,
    strictOrder,
    possibleDuplicateOf: duplicate?.sessionId,
    commandId,
    now: deps.clock.now(),
    timings: deps.timings,
  });
  try {
    await commitPayment(deps, { change, etag: undefined, commandId, traceparent });
    return ok({ payment: change.payment, replayed: false });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const other = await deps.payments.findOrTombstone(key);
    return other ? existing(other, request) : refuse({ code: "dependency_unavailable", retryAfterSeconds: 1 });
  }
}

/** The session is the payment's permanent natural key: the same request again is answered with how it stands. */
function existing(session: StoredPayment | Tombstone, request: PaymentRequest): Result<RequestResult, Refusal> {
  if (session === "tombstone") {
    return refuse({ code: "session_conflict", detail: "This session was cancelled before it was requested." });
  }
  if (sameRequest(session.payment, request)) return ok({ payment: session.payment, replayed: true });
  return refuse({ code: "session_conflict", detail: "This session was requested before with other contents." });
}

async function refuseEarly(
  deps: RequestPaymentDeps,
  caller: Caller,
  request: PaymentRequest,
  view: TerminalView | undefined,
): Promise<Refusal | undefined> {
  if (view?.terminal.partnerId !== caller.partnerId) return { code: "terminal_not_found" };
  if (view.terminal.merchantId !== request.merchantId) return { code: "merchant_mismatch" };
  if (view.terminal.status !== "available") {
    return { code: "terminal_unavailable", detail: `The terminal is set to ${view.terminal.status}.` };
  }
  if (!isOnline(view.lastSeenAt, deps.clock.now(), deps.timings)) return { code: "terminal_offline" };
  const holder: PaymentKey | undefined = view.claim;
  const holding = holder && (await deps.payments.find(holder));
  if (holding && holdsTerminal(holding.payment.status)) {
    return { code: "terminal_busy", retryAfterSeconds: 5 };
  }
  return undefined;
}
