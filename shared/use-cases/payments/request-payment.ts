import { orderOf } from "../../domain/payment/record/order.ts";
import { type Holders, refuseDuplicate } from "../../domain/payment/requests/duplicate.ts";
import { createPayment, sameRequest, type PaymentRequest } from "../../domain/payment/requests/create-payment.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { refuseBusy, refuseTerminal } from "../../domain/payment/requests/precheck.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { Conflict } from "../../ports/failures.ts";
import type { StoredOrder } from "../../stores/orders.ts";
import { lacksPayment, type StoredPayment, type Tombstone } from "../../stores/payments.ts";
import type { StoredSession } from "../../stores/sessions.ts";
import { type PaymentKey, paymentKeyOf } from "../../ports/subjects.ts";
import type { StoredClaim, TerminalView } from "../../stores/terminals.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import { commitPayment, type CommitPaymentDeps } from "./commit-payment.ts";
import { checkDuplicate } from "./check-duplicate.ts";
import { enterOrder, type OrderRoom, withdrawFromOrder } from "./order-holders.ts";
import { createdEntryOf, enterSession } from "./enter-session.ts";
import { findSession } from "./find-session.ts";
import { UNREADABLE } from "./why-no-payment.ts";
import type { Needs } from "../needs.ts";

export type RequestPaymentDeps = CommitPaymentDeps & Needs<"orders" | "sessions" | "terminals" | "timings">;

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
 * Starts a payment on a terminal. Reads terminal and order. Then sends two announcements, enters session, order and partner's list, and
 * commits the payment with the terminal's claim. From then on the terminal is taken. If another request was first, everything is read and
 * decided again.
 *
 * The payment itself is read only if a check fails, or if the commit fails. A request that fails a check announces nothing. It may abort
 * another request of its order that never came.
 */
export async function requestPayment(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  request: PaymentRequest,
): Promise<Result<RequestResult, Refusal<RequestRefusal>>> {
  if (!reaches(call.caller, request.terminalId)) return refuse({ code: "terminal_not_found" });
  return attempt(deps, call, request, { session: undefined, tries: 1 });
}

interface Attempt {
  /** The session as it was read, and as it may be moved to this terminal. Undefined for a new one. */
  readonly session: StoredSession | undefined;
  /** From 1. */
  readonly tries: number;
}

/** How often a request begins again because another request for its session, its terminal or its order was first. */
const MOST_TRIES = 5;

/**
 * Reads, checks, enters and commits. A session that was requested before keeps its payment. If it has none, the session is moved here.
 */
async function attempt(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  request: PaymentRequest,
  { session, tries }: Attempt,
): Promise<Result<RequestResult, Refusal<RequestRefusal>>> {
  const orderKey = orderOf(request);
  const [view, order] = await Promise.all([
    deps.terminals.find(request.terminalId),
    orderKey && deps.orders.find(orderKey),
  ]);
  const checked = await precheck(deps, call, request, { view, order });
  if (!checked.ok) return (await replayOf(deps, call, request, checked.error)) ?? checked;
  const { claim, room, ...prechecked } = checked.value;
  const commandId = call.newId();
  const { partnerId } = call.caller;
  const context = { ...prechecked, partnerId, commandId, now: call.now(), timings: deps.timings };
  const change = createPayment(request, context);
  const { payment } = change;
  const beside = () => enter(deps, call, payment, { session, order: room && { room, order } });
  try {
    await commitPayment(deps, call, { change, before: undefined, claim, commandId, beside });
    return ok({ payment, replayed: false });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
  // This payment is certain never to be committed. If that were unknown, its entries would have to stay.
  await Promise.all([deps.sessions.withdraw(createdEntryOf(payment)), room && withdrawFromOrder(deps, payment)]);
  const found = await deps.payments.findOrTombstone(keyOf(call, request));
  if (found) return existing(found, request);
  if (tries === MOST_TRIES) return refuse({ code: "dependency_unavailable", retryAfterSeconds: 1 });
  const here = await moveHere(deps, call, request);
  return here.ok ? attempt(deps, call, request, { session: here.value, tries: tries + 1 }) : here;
}

/**
 * Enters the payment in its session, its partner's list and its order, before its commit. Waits for all of them, even if one fails, so that
 * no entry comes after the failed request has withdrawn it.
 */
async function enter(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  payment: Payment,
  { session, order }: { readonly session: StoredSession | undefined; readonly order: OrderRoom | undefined },
): Promise<void> {
  const entered = await Promise.allSettled([
    enterSession(deps, call, payment, session),
    order && enterOrder(deps, payment, order),
  ]);
  for (const one of entered) if (one.status === "rejected") throw one.reason;
}

const keyOf = ({ caller: { partnerId } }: PartnerCall, request: PaymentRequest): PaymentKey =>
  paymentKeyOf({ ...request, partnerId });

/** Whether a card may have been charged for the session. Otherwise it may be requested at another terminal. */
const mayBePaid = (found: StoredPayment | Tombstone): boolean => !lacksPayment(found) || found.unreadable === true;

/**
 * The result for a session that exists, here or at another terminal, although a new request is refused. A tombstone names no partner, so it
 * is not shown to a caller without this terminal.
 */
async function replayOf(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  request: PaymentRequest,
  { code }: Refusal<PrecheckRefusal>,
): Promise<Existing | undefined> {
  const key = keyOf(call, request);
  const here = await deps.payments.findOrTombstone(key);
  if (here && !(lacksPayment(here) && code === "terminal_not_found")) return existing(here, request);
  const elsewhere = await findSession(deps, key);
  return elsewhere && mayBePaid(elsewhere) ? existing(elsewhere, request) : undefined;
}

/**
 * Makes sure that the session can have no payment at the terminal at which it was requested before, so that it may be requested here. It
 * leaves a tombstone there, which is final: a slow request there fails, and the session cannot return. A key that does not reach that
 * terminal moves nothing.
 */
async function moveHere(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  request: PaymentRequest,
): Promise<Result<StoredSession | undefined, Refusal<"session_conflict">>> {
  const key = keyOf(call, request);
  const session = await deps.sessions.find(key);
  if (!session || session.terminalId === request.terminalId) return ok(session);
  const elsewhere = { ...key, terminalId: session.terminalId };
  const conflict = refuse({ code: "session_conflict", detail: OTHER_CONTENT } as const);
  if (!reaches(call.caller, session.terminalId)) return conflict;
  try {
    await deps.payments.leaveTombstone(elsewhere, call.now());
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const found = await deps.payments.findOrTombstone(elsewhere);
    if (!found) return conflict;
    if (mayBePaid(found))
      return refuse({ code: "session_conflict", detail: lacksPayment(found) ? UNREADABLE : OTHER_CONTENT });
  }
  return ok(session);
}

const OTHER_CONTENT = "This session was already requested with different content.";
const MOVED = "This session was cancelled before it was requested, or was requested on another terminal.";

type Existing = Result<RequestResult, Refusal<"session_conflict">>;

/**
 * The result for a session that exists. The session is the payment's permanent natural key. Repeating the same request returns the
 * payment's present state, even if a new request would be refused.
 */
function existing(session: StoredPayment | Tombstone, request: PaymentRequest): Existing {
  if (lacksPayment(session))
    return refuse({ code: "session_conflict", detail: session.unreadable ? UNREADABLE : MOVED });
  if (sameRequest(session.payment, request)) return ok({ payment: session.payment, replayed: true });
  return refuse({ code: "session_conflict", detail: OTHER_CONTENT });
}

/** The data that a request read before its commit. */
interface Prechecked {
  /** Another payment that this one may repeat. */
  readonly possibleDuplicateOf: string | undefined;
  readonly strictOrder: boolean;
  /** The terminal's claim, which is free. */
  readonly claim: StoredClaim;
  /** The order's list with room for this payment. Undefined if it is full. */
  readonly room: Holders | undefined;
}

/** Refuses a request that cannot succeed now, and finds another payment that this one may repeat. */
async function precheck(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  request: PaymentRequest,
  { view, order }: { readonly view: TerminalView | undefined; readonly order: StoredOrder | undefined },
): Promise<Result<Prechecked, Refusal<PrecheckRefusal>>> {
  const now = call.now();
  const { partnerId } = call.caller;
  if (!view) return refuse({ code: "terminal_not_found" });
  const refused = refuseTerminal(request, partnerId, view, { now, timings: deps.timings }) ?? refuseBusy(view.claim);
  if (refused) return refuse(refused);
  const strictOrder = view.terminal.strictOrders;
  const { duplicate, room } = await checkDuplicate(deps, { ...request, partnerId, strictOrder }, order, now);
  if (duplicate?.blocks) return refuse(refuseDuplicate(duplicate));
  return ok({ possibleDuplicateOf: duplicate?.sessionId, strictOrder, claim: view.claim, room });
}
