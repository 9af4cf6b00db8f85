import { orderOf } from "../../domain/payment/order.ts";
import { openPayment, sameRequest, type PaymentRequest } from "../../domain/payment/open-payment.ts";
import type { Payment } from "../../domain/payment/payment.ts";
import { refuseBusy, refuseTerminal } from "../../domain/payment/precheck.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Timings } from "../../domain/timings.ts";
import { Conflict } from "../../ports/failures.ts";
import type { Orders, StoredOrder } from "../../ports/orders.ts";
import type { StoredPayment, Tombstone } from "../../ports/payments.ts";
import type { Terminals, TerminalView } from "../../ports/terminals.ts";
import { reaches, type PartnerCall } from "../auth/caller.ts";
import { commitPayment, type CommitPaymentDeps } from "../outbox/commit-payment.ts";
import { guardOrder } from "./guard-order.ts";

export interface RequestPaymentDeps extends CommitPaymentDeps {
  readonly terminals: Terminals;
  readonly orders: Orders;
  readonly timings: Timings;
}

export interface RequestResult {
  readonly payment: Payment;
  /** The session was there already and asks for the same: this is how it stands now. */
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
 * Starts a payment on a terminal. Three round trips: three reads, two announcements and the lists, one commit. What is refused here is
 * refused early out of courtesy; the worker that takes the terminal decides. Nothing is written or queued for a refusal.
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
  const [session, view, order] = await Promise.all([
    deps.payments.findOrTombstone(key),
    deps.terminals.find(request.terminalId),
    orderKey && deps.orders.find(orderKey),
  ]);
  if (session) return existing(session, request);
  if (!view) return refuse({ code: "terminal_not_found" });
  const checked = await precheck(deps, call, request, { view, order });
  if (!checked.ok) return checked;

  const commandId = call.newId();
  const change = openPayment(request, {
    partnerId,
    strictOrder: view.terminal.strictOrders,
    possibleDuplicateOf: checked.value.possibleDuplicateOf,
    now: call.now(),
    timings: deps.timings,
  });
  try {
    await commitPayment(deps, call, { change, etag: undefined, commandId });
    return ok({ payment: change.payment, replayed: false });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const other = await deps.payments.findOrTombstone(key);
    return other ? existing(other, request) : refuse({ code: "dependency_unavailable", retryAfterSeconds: 1 });
  }
}

/** The session is the payment's permanent natural key: the same request again is answered with how it stands. */
function existing(
  session: StoredPayment | Tombstone,
  request: PaymentRequest,
): Result<RequestResult, Refusal<"session_conflict">> {
  if (session === "tombstone") {
    return refuse({ code: "session_conflict", detail: "This session was cancelled before it was requested." });
  }
  if (sameRequest(session.payment, request)) return ok({ payment: session.payment, replayed: true });
  return refuse({ code: "session_conflict", detail: "This session was requested before with other contents." });
}

/** Finds what is plainly impossible, and another payment that this one may repeat. */
async function precheck(
  deps: RequestPaymentDeps,
  { caller: { partnerId }, now }: PartnerCall,
  request: PaymentRequest,
  { view, order }: { readonly view: TerminalView; readonly order: StoredOrder | undefined },
): Promise<Result<{ readonly possibleDuplicateOf: string | undefined }, Refusal<PrecheckRefusal>>> {
  const refused = refuseTerminal(request, partnerId, view, { now: now(), timings: deps.timings });
  if (refused) return refuse(refused);
  const busy = refuseBusy(view.claim && (await deps.payments.find(view.claim))?.payment);
  if (busy) return refuse(busy);
  const claim = { ...request, partnerId, strictOrder: view.terminal.strictOrders };
  const { duplicate } = await guardOrder(deps, claim, order, now());
  const sessionId = duplicate?.sessionId;
  if (!duplicate?.blocks) return ok({ possibleDuplicateOf: sessionId });
  return refuse({ code: "possible_duplicate", ...(sessionId !== undefined && { sessionId }) });
}
