import { orderOf } from "../../domain/payment/record/order.ts";
import { type Holders, refuseDuplicate } from "../../domain/payment/requests/duplicate.ts";
import { createPayment, type PaymentRequest } from "../../domain/payment/requests/create-payment.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { ASKS_TIPS } from "../../domain/payment/record/tip.ts";
import { refuseBusy, refuseTerminal } from "../../domain/payment/requests/precheck.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { Conflict } from "../../ports/failures.ts";
import type { StoredOrder } from "../../stores/orders.ts";
import type { StoredSession } from "../../stores/sessions.ts";
import { paymentSubjectOf } from "../../ports/subjects.ts";
import type { StoredClaim, TerminalView } from "../../stores/terminals.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import {
  entryOf,
  judgeKey,
  type JudgedKey,
  type JudgeKeyDeps,
  keyedBy,
  type KeyRefusal,
  unheld,
  usedKey,
} from "../idempotency-key.ts";
import { commitPayment, type CommitPaymentDeps } from "./commit-payment.ts";
import { checkDuplicate } from "./check-duplicate.ts";
import { enterOrder, type OrderRoom, withdrawFromOrder } from "./order-holders.ts";
import { createdEntryOf, enterSession } from "./enter-session.ts";
import { existing, keyOf, moveHere, replayOf, type RequestResult } from "./existing-session.ts";
import type { Needs } from "../needs.ts";

export type RequestPaymentDeps = CommitPaymentDeps &
  JudgeKeyDeps &
  Needs<"orders" | "sessions" | "terminals" | "timings">;

type PrecheckRefusal =
  | "terminal_not_found"
  | "merchant_mismatch"
  | "terminal_unavailable"
  | "terminal_offline"
  | "terminal_busy"
  | "possible_duplicate";

type RequestRefusal = PrecheckRefusal | KeyRefusal["code"] | "session_conflict" | "dependency_unavailable";

/**
 * Starts a payment on a terminal. Reads terminal and order. Then sends two announcements, enters session, order and partner's list, and
 * commits the payment with the terminal's claim. From then on the terminal is taken. If another request was first, everything is read and
 * decided again.
 *
 * The payment itself and the `Idempotency-Key` are read only if a check fails, or if the commit fails. A request that fails a check announces
 * nothing. It may abort another request of its order that never came.
 *
 * @param idempotencyKey the header's value. It is bound with the session's entry
 */
export async function requestPayment(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  request: PaymentRequest,
  idempotencyKey?: string,
): Promise<Result<RequestResult, Refusal<RequestRefusal>>> {
  if (!reaches(call.caller, request.terminalId)) return refuse({ code: "terminal_not_found" });
  const subject = paymentSubjectOf(keyOf(call, request));
  const keyed = keyedBy(idempotencyKey, call, { operation: "request", subject });
  return attempt(deps, call, request, { session: undefined, key: unheld(keyed), tries: 1 });
}

interface Attempt {
  /** The session as it was read, and as it may be moved to this terminal. Undefined for a new one. */
  readonly session: StoredSession | undefined;
  /** The request's `Idempotency-Key`, as it may be bound. */
  readonly key: JudgedKey;
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
  { session, key, tries }: Attempt,
): Promise<Result<RequestResult, Refusal<RequestRefusal>>> {
  const orderKey = orderOf(request);
  const [view, order] = await Promise.all([
    deps.terminals.find(request.terminalId),
    orderKey && deps.orders.find(orderKey),
  ]);
  const checked = await precheck(deps, call, request, { view, order });
  if (!checked.ok) return refused(deps, call, request, { key, because: checked.error });
  const { claim, room, ...prechecked } = checked.value;
  const commandId = call.newId();
  const { partnerId } = call.caller;
  const context = { ...prechecked, partnerId, commandId, now: call.now(), timings: deps.timings };
  const change = createPayment(request, context);
  const { payment } = change;
  const beside = () => enter(deps, call, payment, { session, key, commandId, order: room && { room, order } });
  const idempotency = usedKey(key.keyed);
  try {
    await commitPayment(deps, call, { change, before: undefined, claim, commandId, idempotency, beside });
    return ok({ payment, replayed: false });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
  // This payment is certain never to be committed. If that were unknown, its entries would have to stay.
  await Promise.all([deps.sessions.withdraw(createdEntryOf(payment)), room && withdrawFromOrder(deps, payment)]);
  return attemptAgain(deps, call, request, { key, tries: tries + 1 });
}

/** The result for a session that was requested before, although a new request is refused now. */
async function refused(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  request: PaymentRequest,
  { key, because }: Pick<Attempt, "key"> & { readonly because: Refusal<PrecheckRefusal> },
): Promise<Result<RequestResult, Refusal<RequestRefusal>>> {
  const judged = await judgeKey(deps, key.keyed, call.now());
  return judged.ok ? ((await replayOf(deps, call, request, because)) ?? refuse(because)) : judged;
}

/** The result for a session that was requested meanwhile. Otherwise another attempt, in which the session may be moved here. */
async function attemptAgain(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  request: PaymentRequest,
  { key, tries }: Pick<Attempt, "key" | "tries">,
): Promise<Result<RequestResult, Refusal<RequestRefusal>>> {
  const judged = await judgeKey(deps, key.keyed, call.now());
  if (!judged.ok) return judged;
  const found = await deps.payments.findOrTombstone(keyOf(call, request));
  if (found) return existing(found, request);
  if (tries > MOST_TRIES) return refuse({ code: "dependency_unavailable", retryAfterSeconds: 1 });
  const here = await moveHere(deps, call, request);
  return here.ok ? attempt(deps, call, request, { session: here.value, key: judged.value, tries }) : here;
}

interface Entries extends Pick<Attempt, "session" | "key"> {
  readonly commandId: string;
  readonly order: OrderRoom | undefined;
}

/**
 * Enters the payment in its session with its key, its partner's list and its order, before its commit. Waits for all of them, even if one
 * fails, so that no entry comes after the failed request has withdrawn it.
 */
async function enter(
  deps: RequestPaymentDeps,
  call: PartnerCall,
  payment: Payment,
  { session, key, commandId, order }: Entries,
): Promise<void> {
  const { terminalId, createdAt: at } = payment;
  const enterWithKey = async () => {
    const of = { subject: paymentSubjectOf(payment), terminalId, commandId, at };
    await enterSession(deps, call, payment, { session, key: key.keyed && (await entryOf(deps, key, of)) });
  };
  const entered = await Promise.allSettled([enterWithKey(), order && enterOrder(deps, payment, order)]);
  for (const one of entered) if (one.status === "rejected") throw one.reason;
}

/** The data that a request read before its commit. */
interface Prechecked {
  /** Another payment that this one may repeat. */
  readonly possibleDuplicateOf: string | undefined;
  readonly strictOrder: boolean;
  readonly asksTips: boolean;
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
  const asksTips = view.described?.can.includes(ASKS_TIPS) ?? false;
  return ok({ possibleDuplicateOf: duplicate?.sessionId, strictOrder, asksTips, claim: view.claim, room });
}
