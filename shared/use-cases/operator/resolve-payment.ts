import { slotOf, type Payment } from "../../domain/payment/record/payment.ts";
import { isOfPayment, type Alert } from "../../domain/alert.ts";
import { dayAfter } from "../../domain/booking.ts";
import type { Change } from "../../domain/payment/life/advance.ts";
import {
  impossible,
  type Resolution,
  type ResolveContext,
  type Resolved,
  type ResolveRefusal,
} from "../../domain/payment/operator/resolution.ts";
import { pointlessMessages, resolve } from "../../domain/payment/operator/resolve.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { dayOf } from "../../domain/time.ts";
import type { Bookings } from "../../stores/bookings.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { Inboxes } from "../../stores/inboxes.ts";
import { whyTooLarge } from "../../stores/payment-weight.ts";
import { amendPayment, type AmendPaymentDeps, type AmendResult } from "../payments/amend-payment.ts";
import { vouchersWithout } from "./vouchers-without.ts";
import { takeOutMessage, withdrawMessage } from "../terminals/withdraw-message.ts";
import type { Needs } from "../needs.ts";

export interface ResolvePaymentDeps extends AmendPaymentDeps, Needs<"accessTokens" | "alerts" | "inboxes"> {
  readonly bookings: Pick<Bookings, "ofTerminal">;
}

/** The ports that a preview reads. A preview writes nothing. */
export type PreviewDeps = Pick<
  ResolvePaymentDeps,
  "accessTokens" | "payments" | "inboxes" | "alerts" | "bookings" | "timings"
>;

/** A payment in the state that the operator read. */
export interface SeenPayment extends PaymentKey {
  readonly sequence: number;
}

/** The preview of a resolution: the payment in its present state, and the change that would be committed. */
export interface Preview {
  readonly before: Payment;
  readonly change: Change;
}

type Previewed = Result<Preview, Refusal<ResolveRefusal | "payment_not_found">>;

/** Decides a resolution on the payment's present state, and writes nothing. `before.sequence` names that state. */
export async function previewResolution(
  deps: PreviewDeps,
  call: CallContext,
  key: PaymentKey,
  resolution: Resolution,
): Promise<Previewed> {
  const stored = await deps.payments.find(key);
  if (!stored) return refuse({ code: "payment_not_found" });
  const before = stored.payment;
  const known = await knownOf(deps, call, before);
  const context = { now: call.now(), commandId: call.newId(), timings: deps.timings };
  const resolved = resolvedWithin(before, resolution, { ...context, ...known });
  if (!resolved.ok) return resolved;
  for (const sequence of messagesOf(before, resolution, resolved.value).mustBeStopped) {
    const slot = await deps.inboxes.find(before.terminalId, slotOf(before, sequence));
    if (slot?.row?.state === "fetched") return voidIsUnanswered(before);
  }
  return ok({ before, change: resolved.value });
}

/**
 * Applies an operator's resolution while an open alert names the payment or its terminal's day. A resolution ends a payment, refund, charge
 * or discount that its terminal no longer reports on, or corrects a wrong recorded outcome.
 *
 * The resolution is refused if the payment has changed since the operator read it. The operator then compared an older state with the
 * acquirer's records. Repeating a resolution is refused for the same reason.
 *
 * The fence takes the obsolete messages out of the inbox, so that a terminal that comes back does not carry them out. A crash in between
 * leaves the same state as a terminal that does not answer. A status query or another try follows.
 */
export const resolvePayment = (
  deps: ResolvePaymentDeps,
  call: CallContext,
  seen: SeenPayment,
  resolution: Resolution,
): Promise<Result<AmendResult, Refusal<ResolveRefusal | "payment_not_found">>> =>
  amendPayment<Refusal<ResolveRefusal>, Known | undefined, Obsolete, boolean>(deps, call, {
    key: seen,
    async read(found) {
      const payment = await found();
      return payment?.sequence === seen.sequence ? knownOf(deps, call, payment) : undefined;
    },
    plan(payment, context, known) {
      if (payment.sequence !== seen.sequence || !known) return changedSince(payment, seen);
      const resolved = resolvedWithin(payment, resolution, { ...context, ...known });
      return resolved.ok ? ok(messagesOf(payment, resolution, resolved.value)) : resolved;
    },
    fence: (payment, messages) => takeOut(deps.inboxes, payment, messages),
    decide: (payment, context, { read: known, fenced: isTakenOut }) =>
      isTakenOut && known ? resolvedWithin(payment, resolution, { ...context, ...known }) : voidIsUnanswered(payment),
  });

/** The facts outside the payment that its resolution depends on. */
type Known = Pick<ResolveContext, "isAlerted" | "reports" | "vouchersElsewhere">;

async function knownOf(deps: PreviewDeps, call: CallContext, payment: Payment): Promise<Known> {
  const [isAlerted, vouchersElsewhere, reports] = await Promise.all([
    isNamedByAlert(deps, payment),
    vouchersWithout(deps, payment, call.now()),
    deps.payments.history(payment),
  ]);
  return { isAlerted, vouchersElsewhere, reports };
}

/** The resolution, if the payment with it still fits its row. Only a refund outside the platform adds to the payment. */
function resolvedWithin(payment: Payment, resolution: Resolution, context: ResolveContext): Resolved {
  const resolved = resolve(payment, resolution, context);
  if (!resolved.ok || resolution.of !== "outside") return resolved;
  const trouble = whyTooLarge(resolved.value.payment);
  return trouble ? refuse(trouble) : resolved;
}

/** The messages that a resolution makes obsolete, by their sequences. */
interface Obsolete {
  /**
   * The voids that must not be under way if the charge is left with the merchant. The terminal may be giving the money back at this moment.
   */
  readonly mustBeStopped: readonly number[];
  readonly all: readonly number[];
}

function messagesOf(payment: Payment, said: Resolution, change: Change): Obsolete {
  const all = pointlessMessages(payment, change);
  return { all, mustBeStopped: said.of === "charge" && said.outcome === "kept" ? all : [] };
}

/** Takes the messages out of the inbox. False if a message that must be stopped is under way. */
async function takeOut(inboxes: Inboxes, payment: Payment, { mustBeStopped, all }: Obsolete): Promise<boolean> {
  for (const sequence of mustBeStopped) if (!(await isStopped(inboxes, payment, sequence))) return false;
  for (const sequence of all) await takeOutMessage(inboxes, payment.terminalId, slotOf(payment, sequence));
  return true;
}

const changedSince = (payment: Payment, { sequence }: SeenPayment) =>
  impossible(
    payment,
    `The payment has changed since you read it, from sequence ${sequence} to ${payment.sequence}. Compare it with the acquirer's records again.`,
  );

/** Withdraws the message. True if the terminal never gets it, or has answered it. */
async function isStopped(inboxes: Inboxes, payment: Payment, sequence: number): Promise<boolean> {
  const slot = slotOf(payment, sequence);
  if (await withdrawMessage(inboxes, payment.terminalId, slot)) return true;
  return (await inboxes.find(payment.terminalId, slot))?.row?.state !== "fetched";
}

const voidIsUnanswered = (payment: Payment) =>
  impossible(
    payment,
    "The terminal has fetched the void of this charge and has not answered it yet. Wait until this try has ended.",
  );

/**
 * Whether an open alert names the payment, or a day of its terminal whose totals differ. Such a day counts if the payment was created on it
 * or on the day before, or was booked on it. A refused report of its terminal counts too, because such a report does not show for certain
 * which payment it is about.
 */
async function isNamedByAlert({ alerts, bookings }: PreviewDeps, payment: Payment): Promise<boolean> {
  const { partnerId, sessionId, terminalId } = payment;
  const found = await Promise.all([alerts.of(sessionId), alerts.of(terminalId)]);
  const open = found.flatMap((some) => some.flatMap(({ alert }) => (alert.status === "open" ? [alert] : [])));
  const ofTerminal = open.filter(({ subject }) => subject.kind === "terminal" && subject.partnerId === partnerId);
  if (open.some((alert) => isOfPayment(alert, payment))) return true;
  if (ofTerminal.some(({ kind }) => kind === "orphanReport")) return true;
  const days = ofTerminal.flatMap(differingDay);
  const created = dayOf(payment.createdAt);
  if (days.some((day) => day === created || day === dayAfter(created))) return true;
  const booked = await Promise.all(days.map((day) => bookings.ofTerminal({ partnerId, terminalId, day })));
  return booked.some((of) => of.bookings.some((booking) => booking.sessionId === sessionId));
}

const differingDay = ({ kind, subject }: Alert) =>
  kind === "dayDiffers" && subject.kind === "terminal" ? [subject.day] : [];
