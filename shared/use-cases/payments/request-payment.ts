import type { Expected } from "../../domain/effects.ts";
import { orderOf } from "../../domain/payment/record/order.ts";
import { createPayment, sameRequest, type PaymentRequest } from "../../domain/payment/requests/create-payment.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { refuseBusy, refuseTerminal } from "../../domain/payment/requests/precheck.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { Conflict } from "../../ports/failures.ts";
import type { StoredOrder } from "../../stores/orders.ts";
import { lacksPayment, type StoredPayment, type Tombstone } from "../../stores/payments.ts";
import type { StoredSession } from "../../stores/sessions.ts";
import { isSamePayment, type PaymentKey, paymentKeyOf } from "../../ports/subjects.ts";
import type { TerminalView } from "../../stores/terminals.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import { commitPayment, type CommitPaymentDeps } from "./commit-payment.ts";
import { checkDuplicate } from "./check-duplicate.ts";
import { createdEntryOf, enterSession } from "./enter-session.ts";
import { findSession } from "./find-session.ts";
import { leaveTombstone } from "./leave-tombstone.ts";
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
 * Starts a payment on a terminal. Reads terminal and order, then the payment that last held the terminal. Then sends two announcements,
 * enters session and lists, and makes one commit. The payment itself is read only if a check fails, or if an insert fails because the
 * session or the payment exists.
 *
 * A refusal here comes early, as a courtesy. The worker that claims the terminal decides. A refused request writes and enqueues nothing.
 */
export async function requestPayment(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  request: PaymentRequest,
): Promise<Result<RequestResult, Refusal<RequestRefusal>>> {
  if (!reaches(call.caller, request.terminalId)) return refuse({ code: "terminal_not_found" });
  const orderKey = orderOf(request);
  const [view, order] = await Promise.all([
    deps.terminals.find(request.terminalId),
    orderKey && deps.orders.find(orderKey),
  ]);
  const checked = await precheck(deps, call, request, { view, order });
  if (!checked.ok) {
    const key = keyOf(call, request);
    const here = await deps.payments.findOrTombstone(key);
    const elsewhere = here ? undefined : await findSession(deps, key);
    const found = here ?? (elsewhere && mayBePaid(elsewhere) ? elsewhere : undefined);
    return existing(found, request) ?? checked;
  }
  return commitNew(deps, call, request, { ...checked.value, session: undefined });
}

const keyOf = ({ caller: { partnerId } }: PartnerCall, request: PaymentRequest): PaymentKey =>
  paymentKeyOf({ ...request, partnerId });

/** Whether a card may have been charged for the session. Otherwise it may be requested at another terminal. */
const mayBePaid = (found: StoredPayment | Tombstone): boolean => !lacksPayment(found) || found.unreadable === true;

/** How often a request begins again because its session was requested at the same time, here or at another terminal. */
const MOST_TRIES = 5;

/**
 * Enters the session and commits the new payment. A session that was requested before keeps its payment. If it has none, the session is
 * moved here.
 */
async function commitNew(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  request: PaymentRequest,
  { session, tries = 1, ...prechecked }: Prechecked & Attempt,
): Promise<Result<RequestResult, Refusal<RequestRefusal>>> {
  const commandId = call.newId();
  const change = createPayment(request, {
    ...prechecked,
    partnerId: call.caller.partnerId,
    commandId,
    now: call.now(),
    timings: deps.timings,
  });
  let isEntered = false;
  const beside = async () => {
    await enterSession(deps, call, change.payment, session);
    isEntered = true;
  };
  try {
    await commitPayment(deps, call, { change, etag: undefined, commandId, beside });
    return ok({ payment: change.payment, replayed: false });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    await deps.sessions.withdraw(createdEntryOf(change.payment)); // this payment is certain never to be committed
    const found = await deps.payments.findOrTombstone(keyOf(call, request));
    if (found) return existing(found, request) ?? refuse({ code: "session_conflict", detail: MOVED });
    // The commit came too late, and a worker had aborted it.
    if (isEntered || tries === MOST_TRIES) return refuse({ code: "dependency_unavailable", retryAfterSeconds: 1 });
    const here = await moveHere(deps, call, request);
    if (!here.ok) return here;
    return commitNew(deps, call, request, { ...prechecked, session: here.value, tries: tries + 1 });
  }
}

interface Attempt {
  /** The session as it was read, and as it may be moved to this terminal. Undefined for a new one. */
  readonly session: StoredSession | undefined;
  readonly tries?: number;
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
    await leaveTombstone(deps, call, elsewhere);
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

/**
 * The result for a session that exists; undefined if it does not. The session is the payment's permanent natural key. Repeating the same
 * request returns the payment's present state, even if a new request would be refused.
 */
function existing(
  session: StoredPayment | Tombstone | undefined,
  request: PaymentRequest,
): Result<RequestResult, Refusal<"session_conflict">> | undefined {
  if (!session) return undefined;
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
  readonly expected: Expected | undefined;
}

/** Refuses a request that is certain to fail, and finds another payment that this one may repeat. */
async function precheck(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  request: PaymentRequest,
  { view, order }: { readonly view: TerminalView | undefined; readonly order: StoredOrder | undefined },
): Promise<Result<Prechecked, Refusal<PrecheckRefusal>>> {
  const { now } = call;
  const { partnerId } = call.caller;
  if (!view) return refuse({ code: "terminal_not_found" });
  const refused = refuseTerminal(request, partnerId, view, { now: now(), timings: deps.timings });
  if (refused) return refuse(refused);
  const busy = refuseBusy(await lastOn(deps, view, keyOf(call, request)), partnerId);
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
