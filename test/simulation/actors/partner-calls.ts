import { toPaymentObject } from "../../../shared/contracts/objects/payment.ts";
import type { Payment, Refund } from "../../../shared/domain/payment/record/payment.ts";
import type { Refusal } from "../../../shared/domain/refusal.ts";
import { addDiscount } from "../../../shared/use-cases/payments/add-discount.ts";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { capturePayment } from "../../../shared/use-cases/payments/capture-payment.ts";
import { readPayment } from "../../../shared/use-cases/payments/read-payment.ts";
import { refundPayment } from "../../../shared/use-cases/payments/refund-payment.ts";
import { withdrawRefund } from "../../../shared/use-cases/payments/withdraw-refund.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { callOf } from "../../support/calls.ts";
import { rememberingTerminals, type Deps, type Platform } from "../platform/platform.ts";
import type { World } from "../world/world.ts";
import type { Client, Learned } from "./client.ts";
import { requestMembers, type DiscountAsk, type Off } from "./discount-asks.ts";
import type { Keys } from "./keys.ts";
import type { Plan } from "./plan.ts";
import { toMajor } from "./prices.ts";
import { comparedNames, type RefundWish } from "./refund-names.ts";
import { createSlowHosts } from "./slow-hosts.ts";

/** A partner's calls for its plans. Each call records its result. */
export function createPartnerCalls(world: World, client: Client, platform: Platform, keys: Keys) {
  const { call } = client;
  const onSlowHost = createSlowHosts(world, platform, keys);

  return {
    ...createRefundCalls(world, client),
    async request(plan: Plan): Promise<Learned<unknown>> {
      const { known, sessionId } = plan;
      const key = keys.written(plan.idempotencyKey);
      const answer = await call(`request ${sessionId}`, (deps) =>
        requestPayment(key === undefined ? deps : onSlowHost(deps), callBy(deps, plan), plan.request, key),
      );
      if (!answer) known.inDoubt = true;
      else if (answer.ok) {
        known.acknowledged = true;
        note(plan, answer.value.payment);
      } else noteRefusedRequest(world, plan, answer.error);
      return answer;
    },
    async cancel(plan: Plan, idempotencyKey?: string): Promise<Learned<unknown>> {
      const { sessionId, terminalId } = plan.request;
      const answer = await call(`cancel ${sessionId}`, (deps) =>
        cancelPayment(deps, callBy(deps, plan), { sessionId, terminalId, idempotencyKey }),
      );
      if (answer?.ok) {
        plan.known.cancelled = true;
        note(plan, answer.value.payment);
        if (answer.value.payment.status === "captured") world.violate("a captured payment was cancelled", sessionId);
      }
      if (answer?.ok === false && answer.error.code === "payment_never_requested") plan.known.ruledOut = true;
      return answer;
    },
    async capture(plan: Plan, amount: number | undefined, wish: CaptureWish = {}): Promise<Learned<unknown>> {
      const { sessionId, terminalId, currency } = plan.request;
      const captureAmount = amount === undefined ? undefined : toMajor(amount, currency);
      const input = { sessionId, terminalId, captureAmount, ...wish };
      plan.known.captures.push(amount);
      const answer = await call(`capture ${sessionId}`, (deps) => capturePayment(deps, callBy(deps, plan), input));
      if (answer?.ok) {
        note(plan, answer.value.payment);
        checkCaptured(world, answer.value.payment, amount);
      }
      return answer;
    },
    /** The amount is in minor units here, and in the currency's major unit in the request. */
    async discount(plan: Plan, discountId: string, off: Off): Promise<Learned<unknown>> {
      const { sessionId, request, known } = plan;
      const input = { sessionId, discountId, ...requestMembers(off, request.currency) };
      const ask: DiscountAsk = { discountId, off, isAccepted: false };
      known.discounts.push(ask);
      const answer = await call(`discount ${sessionId}`, (deps) => addDiscount(deps, callBy(deps, plan), input));
      if (answer?.ok) {
        ask.isAccepted = true;
        note(plan, answer.value.payment);
      }
      return answer;
    },
    async read(plan: Plan): Promise<Learned<Payment>> {
      const { sessionId } = plan;
      const answer = await call(`read ${sessionId}`, (deps) => readPayment(deps, callBy(deps, plan), sessionId));
      if (answer?.ok) note(plan, answer.value);
      return answer;
    },
  };
}

/** A partner's calls for refunds. */
function createRefundCalls(world: World, { call }: Client) {
  return {
    async refund(plan: Plan, named: RefundWish, amount: number): Promise<Learned<unknown>> {
      const { sessionId, terminalId, currency } = plan.request;
      const reason = "returned";
      const input = { sessionId, terminalId, currency, refundAmount: toMajor(amount, currency), reason, ...named };
      for (const one of plan.known.withdrawn.values()) one.isWantedAgain ||= one.amount === amount;
      const answer = await call(`refund ${sessionId}`, (deps) =>
        refundPayment(rememberingTerminals(deps), callBy(deps, plan), input),
      );
      // A possible duplicate names the refund that was made. The partner takes its own refund as made under that name.
      const made = answer?.ok === false && answer.error.code === "possible_duplicate" ? answer.error.refund : undefined;
      const names = made ? [made.idAsReceived.toLowerCase()] : comparedNames(named);
      plan.known.refunds.push({ names, amount, reason, isAccepted: answer?.ok === true || made !== undefined });
      if (made) noteDuplicate(world, plan, named);
      if (answer?.ok) {
        const { payment, replayed } = answer.value;
        if (replayed && names.length === 0) checkUnnamedReplay(world, payment, amount);
        note(plan, payment);
        for (const { refundID } of toPaymentObject(payment).refunds) plan.known.refundIds.add(refundID);
      }
      return answer;
    },
    async withdraw(plan: Plan, refundId: string, idempotencyKey?: string): Promise<Learned<unknown>> {
      const { sessionId, terminalId } = plan.request;
      const target = { sessionId, terminalId, refundId, idempotencyKey };
      const answer = await call(`withdraw ${refundId} of ${sessionId}`, (deps) =>
        withdrawRefund(deps, callBy(deps, plan), target),
      );
      if (answer?.ok) {
        note(plan, answer.value.payment);
        noteWithdrawn(world, plan, answer.value.payment, refundId.toLowerCase());
      } else if (answer?.error.code === "invalid_state") world.faultPlan.meet("refund withdrawn too late");
      return answer;
    },
  };
}

const callBy = (deps: Deps, { partnerId }: Plan) => callOf(deps, { partnerId, keyId: `key of ${partnerId}` });

/** A capture's request, without its amount. */
interface CaptureWish {
  readonly idempotencyKey?: string | undefined;
  readonly deliverWithinSeconds?: number | undefined;
}

const note = ({ known }: Plan, payment: Payment) => void known.shown.push(toPaymentObject(payment));

/** Records why the platform refused to request the payment. */
function noteRefusedRequest(world: World, { known, request, sessionId }: Plan, refusal: Refusal): void {
  if (refusal.code === "session_conflict") known.conflicts = true;
  else if (refusal.code === "idempotency_mismatch") {
    if (refusal.sessionId === undefined) known.conflicts = true;
    else known.holders.add(refusal.sessionId);
  } else if (refusal.code === "possible_duplicate") {
    if (request.confirmDuplicate) world.violate("a confirmed duplicate was refused", sessionId);
    if (refusal.sessionId !== undefined) known.duplicates.add(refusal.sessionId);
  }
}

/** A refund was refused as a possible duplicate. A named one only if an equal refund waits. */
function noteDuplicate(world: World, { sessionId }: Plan, named: RefundWish): void {
  if (named.confirmDuplicate) world.violate("a confirmed refund was refused as a duplicate", sessionId);
  if (comparedNames(named).length > 0) world.faultPlan.meet("refund is a possible duplicate of one that waits");
}

/** The response to a withdrawal shows the refund as withdrawn. */
function noteWithdrawn(world: World, { sessionId, known }: Plan, { refunds }: Payment, refundId: string): void {
  const refund = refunds.find((one) => one.refundId === refundId);
  if (refund?.status !== "failed" || refund.statusReason !== "cancelledByPartner")
    return world.violate("a withdrawal was confirmed, but the refund is not withdrawn", `${sessionId} ${refundId}`);
  world.faultPlan.meet("refund withdrawn");
  known.withdrawn.set(refundId, { amount: refund.amount, isWantedAgain: false });
}

/** An accepted capture shows the payment with the amount that the partner asked for. */
function checkCaptured(world: World, payment: Payment, amount: number | undefined): void {
  const { sessionId, captureAmount: taken, amounts, status } = payment;
  if (status === "authorized") {
    // A replay under a key: the capture has failed, and another amount may have been tried since.
    if (taken === undefined) world.violate("a replay shows no capture", sessionId);
  } else if ((taken ?? amounts.authorized) !== (amount ?? amounts.authorized))
    world.violate("a capture of another amount was replayed", sessionId);
}

/** A repeat of an unnamed refund is a replay only while that refund is pending. */
function checkUnnamedReplay(world: World, { sessionId, refunds }: Payment, amount: number): void {
  const isWaiting = (r: Refund) => r.status === "pending" && r.names.length === 0 && r.amount === amount;
  if (!refunds.some(isWaiting)) world.violate("an unnamed refund was replayed although it was made", sessionId);
}
