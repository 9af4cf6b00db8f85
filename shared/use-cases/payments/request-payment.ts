import type { Expected } from "../../domain/effects.ts";
import { orderOf } from "../../domain/payment/record/order.ts";
import { createPayment, sameRequest, type PaymentRequest } from "../../domain/payment/requests/create-payment.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { refuseBusy, refuseTerminal } from "../../domain/payment/requests/precheck.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { Conflict } from "../../ports/failures.ts";
import type { StoredOrder } from "../../stores/orders.ts";
import { isBarred, lacksPayment, type StoredPayment, type Tombstone } from "../../stores/payments.ts";
import { isSamePayment, type PaymentKey } from "../../ports/subjects.ts";
import type { TerminalView } from "../../stores/terminals.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import { commitPayment, type CommitPaymentDeps } from "./commit-payment.ts";
import { checkDuplicate } from "./check-duplicate.ts";
import { createdEntryOf, enterCreated } from "./enter-created.ts";
import { UNREADABLE } from "./why-no-payment.ts";
import type { Needs } from "../needs.ts";

export type RequestPaymentDeps = CommitPaymentDeps & Needs<"createdPayments" | "orders" | "terminals" | "timings">;

export interface RequestResult {
  readonly payment: Payment;
  /** True if the session existed and was requested with the same content. `payment` is then its present state. */
  readonly replayed: boolean;
}

type PrecheckRefusal =
  | "terminal_not_found"
  | "merchant_mismatch"
  | "terminal_unavailable"
  | "terminal_offline"
  | "terminal_busy"
  | "possible_duplicate";

type RequestRefusal = PrecheckRefusal | "session_conflict" | "dependency_unavailable";

/**
 * Starts a payment on a terminal. Reads terminal and order, then the payment that last held the terminal. Then sends two announcements,
 * writes the lists, and makes one commit. The session itself is read only if a check fails, or if the insert fails because the session
 * exists.
 *
 * A refusal here comes early, as a courtesy. The worker that claims the terminal decides. A refused request writes and enqueues nothing.
 */
export async function requestPayment(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  request: PaymentRequest,
): Promise<Result<RequestResult, Refusal<RequestRefusal>>> {
  if (!reaches(call.caller, request.terminalId)) return refuse({ code: "terminal_not_found" });
  const { partnerId } = call.caller;
  const key = { partnerId, sessionId: request.sessionId };
  const orderKey = orderOf(request);
  const [view, order] = await Promise.all([
    deps.terminals.find(request.terminalId),
    orderKey && deps.orders.find(orderKey),
  ]);
  const checked = await precheck(deps, call, request, { view, order });
  if (!checked.ok) return existing(await deps.payments.findOrTombstone(key), request) ?? checked;

  return commitNew(deps, call, request, { ...checked.value, tombstone: undefined });
}

/** Commits the new payment. It replaces a tombstone that names only other terminals. */
async function commitNew(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  request: PaymentRequest,
  { tombstone, ...prechecked }: Prechecked & { readonly tombstone: Tombstone | undefined },
): Promise<Result<RequestResult, Refusal<RequestRefusal>>> {
  const { partnerId } = call.caller;
  const key = { partnerId, sessionId: request.sessionId };
  const commandId = call.newId();
  const change = createPayment(request, {
    ...prechecked,
    partnerId,
    commandId,
    now: call.now(),
    timings: deps.timings,
  });
  try {
    const beside = () => enterCreated(deps, call, change.payment);
    await commitPayment(deps, call, { change, etag: tombstone?.etag, commandId, beside });
    return ok({ payment: change.payment, replayed: false });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    await deps.createdPayments.withdraw(createdEntryOf(change.payment)); // this payment is certain never to be committed
    const found = await deps.payments.findOrTombstone(key);
    const passed = found && lacksPayment(found) && !isBarred(found, request.terminalId);
    if (passed && found.etag !== tombstone?.etag)
      return commitNew(deps, call, request, { ...prechecked, tombstone: found });
    return existing(found, request) ?? refuse({ code: "dependency_unavailable", retryAfterSeconds: 1 });
  }
}

/**
 * The result for a session that exists; undefined if it does not, or if it was only cancelled for other terminals. The session is the
 * payment's permanent natural key. Repeating the same request returns the payment's present state, even if a new request would be refused.
 */
function existing(
  session: StoredPayment | Tombstone | undefined,
  request: PaymentRequest,
): Result<RequestResult, Refusal<"session_conflict">> | undefined {
  if (!session) return undefined;
  if (lacksPayment(session)) {
    const detail = session.unreadable ? UNREADABLE : "This session was cancelled before it was requested.";
    return isBarred(session, request.terminalId) ? refuse({ code: "session_conflict", detail }) : undefined;
  }
  if (sameRequest(session.payment, request)) return ok({ payment: session.payment, replayed: true });
  return refuse({ code: "session_conflict", detail: "This session was already requested with different content." });
}

/** The data that a request read before its commit. */
interface Prechecked {
  /** Another payment that this one may repeat. */
  readonly possibleDuplicateOf: string | undefined;
  readonly strictOrder: boolean;
  readonly expected: Expected | undefined;
}

/** Refuses a request that is certain to fail, and finds another payment that this one may repeat. */
async function precheck(
  deps: RequestPaymentDeps,
  { caller: { partnerId }, now }: PartnerCall,
  request: PaymentRequest,
  { view, order }: { readonly view: TerminalView | undefined; readonly order: StoredOrder | undefined },
): Promise<Result<Prechecked, Refusal<PrecheckRefusal>>> {
  if (!view) return refuse({ code: "terminal_not_found" });
  const refused = refuseTerminal(request, partnerId, view, { now: now(), timings: deps.timings });
  if (refused) return refuse(refused);
  const busy = refuseBusy(await lastOn(deps, view, { partnerId, sessionId: request.sessionId }), partnerId);
  if (busy) return refuse(busy);
  const strictOrder = view.terminal.strictOrders;
  const claim = { ...request, partnerId, strictOrder };
  const { duplicate } = await checkDuplicate(deps, claim, order, now());
  const sessionId = duplicate?.sessionId;
  if (duplicate?.blocks) return refuse({ code: "possible_duplicate", ...(sessionId !== undefined && { sessionId }) });
  return ok({ possibleDuplicateOf: sessionId, strictOrder, expected: expectedOf(request, view, order) });
}

/** The payment that claimed the terminal last, if it is another one. */
async function lastOn({ payments }: RequestPaymentDeps, { claim }: TerminalView, own: PaymentKey) {
  return claim && !isSamePayment(claim, own) ? (await payments.find(claim))?.payment : undefined;
}

/** The ETags that the admission may rely on: the terminal is free, and the order's list is empty. Undefined if the list has holders. */
function expectedOf(request: PaymentRequest, view: TerminalView, order: StoredOrder | undefined): Expected | undefined {
  if (order && order.holders.length > 0) return undefined;
  const key = orderOf(request);
  return {
    claim: view.claim?.etag,
    order: key && { ...key, strict: view.terminal.strictOrders, etag: order?.etag },
  };
}
