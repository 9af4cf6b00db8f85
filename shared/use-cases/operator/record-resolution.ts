import type { Payment } from "../../domain/payment/record/payment.ts";
import { isOfPayment, type Alert } from "../../domain/alert.ts";
import { dayAfter } from "../../domain/booking.ts";
import type { Change } from "../../domain/payment/life/advance.ts";
import type { DecisionContext } from "../../domain/payment/life/decision.ts";
import { bookingsOf } from "../../domain/payment/life/bookings.ts";
import {
  impossible,
  type Resolution,
  type ResolutionContext,
  type Resolved,
  type ResolutionRefusal,
} from "../../domain/payment/operator/resolution.ts";
import { decideResolution, pointlessMessages } from "../../domain/payment/operator/decide-resolution.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { dayOf } from "../../domain/time.ts";
import type { Bookings } from "../../stores/bookings.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { InboxRow } from "../../stores/inboxes.ts";
import type { Taking } from "../../stores/payments.ts";
import { whyTooLarge } from "../../stores/payment-weight.ts";
import { amendPayment, type AmendPaymentDeps, type AmendResult } from "../payments/amend-payment.ts";
import { unredeemableVouchers } from "./unredeemable-vouchers.ts";
import { messageOf, openMessages } from "../terminals/open-messages.ts";
import type { Needs } from "../needs.ts";

export interface RecordResolutionDeps extends AmendPaymentDeps, Needs<"accessTokens" | "alerts" | "inboxes"> {
  readonly bookings: Pick<Bookings, "ofBusinessDay">;
}

/** The ports that a preview reads. A preview writes nothing. */
export type PreviewDeps = Pick<
  RecordResolutionDeps,
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

type Previewed = Result<Preview, Refusal<ResolutionRefusal | "payment_not_found">>;

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
  const decided = decide(before, resolution, context, known);
  return decided.ok ? ok({ before, change: decided.value }) : decided;
}

/**
 * Records an operator's resolution while an open alert names the payment or its terminal's day. A resolution ends a payment, refund, charge
 * or discount that its terminal no longer reports on, or corrects a wrong recorded outcome.
 *
 * The resolution is refused if the payment has changed since the operator read it. The operator then compared an older state with the
 * acquirer's records. Repeating a resolution is refused for the same reason.
 *
 * The change removes every obsolete message, fetched or not, so that a terminal that comes back does not carry it out.
 */
export const recordResolution = (
  deps: RecordResolutionDeps,
  call: CallContext,
  seen: SeenPayment,
  resolution: Resolution,
): Promise<Result<AmendResult, Refusal<ResolutionRefusal | "payment_not_found">>> =>
  amendPayment<Refusal<ResolutionRefusal>, Known | undefined>(deps, call, {
    key: seen,
    async read(found) {
      const payment = await found();
      return payment?.sequence === seen.sequence ? knownOf(deps, call, payment) : undefined;
    },
    decide(payment, context, { read: known }) {
      if (payment.sequence !== seen.sequence || !known) return changedSince(payment, seen);
      return decide(payment, resolution, context, known);
    },
  });

/** The change, with the messages that it makes obsolete. */
function decide(
  payment: Payment,
  resolution: Resolution,
  context: DecisionContext,
  known: Known,
): Result<Change & Taking, Refusal<ResolutionRefusal>> {
  const resolved = resolvedWithin(payment, resolution, { ...context, ...known });
  if (!resolved.ok) return resolved;
  const change = resolved.value;
  if (isVoidUnderWay(payment, resolution, change, known.open)) return voidIsUnanswered(payment);
  const removed = pointlessMessages(payment, change).flatMap((sequence) => messageOf(known.open, sequence) ?? []);
  const isTooMuch = removed.length > MOST_REMOVED || bookingsOf(payment, change).length > MOST_BOOKED;
  return isTooMuch ? tooMany(payment) : ok({ ...change, removed });
}

/** The most messages that a resolution removes, and its most bookings. Each may write three rows. A group has a hundred rows at most. */
const MOST_REMOVED = 40;
const MOST_BOOKED = 15;

/** The facts outside the payment that its resolution depends on, and its messages that the terminal has not answered. */
interface Known extends Pick<ResolutionContext, "isAlerted" | "reports" | "vouchersElsewhere"> {
  readonly open: readonly InboxRow[];
}

async function knownOf(deps: PreviewDeps, call: CallContext, payment: Payment): Promise<Known> {
  const [isAlerted, vouchersElsewhere, reports, open] = await Promise.all([
    isNamedByAlert(deps, payment),
    unredeemableVouchers(deps, payment, call.now()),
    deps.payments.history(payment),
    openMessages(deps, payment),
  ]);
  return { isAlerted, vouchersElsewhere, reports, open };
}

/** The resolution, if the payment with it still fits its row. Only a refund outside the platform adds to the payment. */
function resolvedWithin(payment: Payment, resolution: Resolution, context: ResolutionContext): Resolved {
  const resolved = decideResolution(payment, resolution, context);
  if (!resolved.ok || resolution.of !== "outside") return resolved;
  const trouble = whyTooLarge(resolved.value.payment);
  return trouble ? refuse(trouble) : resolved;
}

/** Whether the charge is to be left with the merchant, while the terminal may be giving the money back at this moment. */
const isVoidUnderWay = (payment: Payment, said: Resolution, change: Change, open: readonly InboxRow[]): boolean =>
  said.of === "charge" &&
  said.outcome === "kept" &&
  pointlessMessages(payment, change).some((sequence) => messageOf(open, sequence)?.state === "fetched");

const changedSince = (payment: Payment, { sequence }: SeenPayment) =>
  impossible(
    payment,
    `The payment has changed since you read it, from sequence ${sequence} to ${payment.sequence}. Compare it with the acquirer's records again.`,
  );

const tooMany = (payment: Payment) =>
  impossible(
    payment,
    `This ends more than ${MOST_REMOVED} refunds whose messages the terminal has not answered, or moves money more than ${MOST_BOOKED} times. Resolve some of the refunds or charges first.`,
  );

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
  const booked = await Promise.all(days.map((day) => bookings.ofBusinessDay({ terminalId, day })));
  return booked.flat().some((booking) => booking.sessionId === sessionId);
}

const differingDay = ({ kind, subject }: Alert) =>
  kind === "dayDiffers" && subject.kind === "terminal" ? [subject.day] : [];
