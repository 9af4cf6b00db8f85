import { sameRequest, type PaymentRequest } from "../../domain/payment/requests/create-payment.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { Conflict } from "../../ports/failures.ts";
import { type PaymentKey, paymentKeyOf } from "../../ports/subjects.ts";
import { lacksPayment, type StoredPayment, type Tombstone } from "../../stores/payments.ts";
import type { StoredSession } from "../../stores/sessions.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import type { Needs } from "../needs.ts";
import { findSession } from "./find-session.ts";
import { UNREADABLE } from "./why-no-payment.ts";

export interface RequestResult {
  readonly payment: Payment;
  /** True if the session existed and was requested with the same content. `payment` is then its present state. */
  readonly replayed: boolean;
}

type SessionDeps = Needs<"payments" | "sessions">;

/** The payment that the request names. */
export const keyOf = ({ caller: { partnerId } }: PartnerCall, request: PaymentRequest): PaymentKey =>
  paymentKeyOf({ ...request, partnerId });

/** Whether a card may have been charged for the session. Otherwise it may be requested at another terminal. */
const mayBePaid = (found: StoredPayment | Tombstone): boolean => !lacksPayment(found) || found.unreadable === true;

/**
 * The result for a session that exists, here or at another terminal, although a new request is refused. A tombstone names no partner, so it
 * is not shown to a caller without this terminal.
 */
export async function replayOf(
  deps: SessionDeps,
  call: PartnerCall,
  request: PaymentRequest,
  { code }: Refusal,
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
export async function moveHere(
  deps: SessionDeps,
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
export function existing(session: StoredPayment | Tombstone, request: PaymentRequest): Existing {
  if (lacksPayment(session))
    return refuse({ code: "session_conflict", detail: session.unreadable ? UNREADABLE : MOVED });
  if (sameRequest(session.payment, request)) return ok({ payment: session.payment, replayed: true });
  return refuse({ code: "session_conflict", detail: OTHER_CONTENT });
}
