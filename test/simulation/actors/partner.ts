import { toPaymentObject } from "../../../shared/contracts/objects/payment.ts";
import type { Refusal } from "../../../shared/domain/refusal.ts";
import type { Result } from "../../../shared/domain/result.ts";
import { addDiscount } from "../../../shared/use-cases/payments/add-discount.ts";
import type { Caller } from "../../../shared/use-cases/auth/caller.ts";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { capturePayment } from "../../../shared/use-cases/payments/capture-payment.ts";
import { readPayment } from "../../../shared/use-cases/payments/read-payment.ts";
import { refundPayment } from "../../../shared/use-cases/payments/refund-payment.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { callOf } from "../../support/calls.ts";
import type { Http } from "../platform/http.ts";
import type { Deps } from "../platform/platform.ts";
import { MINUTE, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import { partnerId, type Plan } from "./plan.ts";
import { comparedNames, drawRefundNames, type RefundNames } from "./refund-names.ts";
import { voucherId } from "./voucher.ts";

const caller: Caller = { partnerId, keyId: "key" };
const callBy = (deps: Deps) => callOf(deps, caller);

/** What a partner makes of an answer; undefined when it learned nothing. */
type Learned<T> = Result<T, Refusal> | undefined;

/** The partner's server: impatient, persistent, and in more than one mind about its payments. */
export interface Partner {
  /** Lives through a plan: asks for the payment, and perhaps cancels, captures and refunds it, at any time. */
  carryThrough(plan: Plan): void;
  /** Asks once, and says whether it was told that the payment is under way. */
  requestOnce(plan: Plan): Promise<boolean>;
  cancelOnce(plan: Plan): Promise<unknown>;
  /** Finds out what became of a request that was in doubt. */
  findOut(plan: Plan): Promise<void>;
}

export function createPartner(world: World, http: Http): Partner {
  const { agenda, random } = world;

  /** One call; a 503 teaches as little as silence. */
  async function call<T>(name: string, handle: (deps: Deps) => Promise<Result<T, Refusal>>): Promise<Learned<T>> {
    const answer = await http({ name }, handle);
    const told = answer.kind === "answered" ? answer.value : undefined;
    const learned = told && (told.ok || told.error.code !== "dependency_unavailable") ? told : undefined;
    world.trace?.(name, `answered ${learned ? (learned.ok ? "2xx" : learned.error.code) : answer.kind}`);
    return learned;
  }

  /** Repeats a call until something is learned and `enough` of it. */
  async function insist<T>(
    make: () => Promise<Learned<T>>,
    {
      times,
      pause,
      enough = () => true,
    }: { times: number; pause: () => number; enough?: (answer: Result<T, Refusal>) => boolean },
  ): Promise<void> {
    for (let i = 0; i < times; i++) {
      const [answer] = await Promise.all(random.chance(0.15) ? [make(), make()] : [make()]);
      if (answer && enough(answer)) return;
      await agenda.sleep(pause());
    }
  }

  async function request(plan: Plan): Promise<Learned<unknown>> {
    const { known, sessionId } = plan;
    const answer = await call(`request ${sessionId}`, (deps) => requestPayment(deps, callBy(deps), plan.request));
    if (!answer) known.inDoubt = true;
    else if (answer.ok) known.acknowledged = true;
    else if (answer.error.code === "session_conflict") known.conflicts = true;
    return answer;
  }

  async function cancel({ known, request: { sessionId, terminalId } }: Plan): Promise<Learned<unknown>> {
    const answer = await call(`cancel ${sessionId}`, (deps) =>
      cancelPayment(deps, callBy(deps), { sessionId, terminalId }),
    );
    if (answer?.ok) known.cancelled = true;
    if (answer?.ok === false && answer.error.code === "payment_not_found") known.ruledOut = true;
    return answer;
  }

  async function capture({ known, request: { sessionId, terminalId } }: Plan, captureAmount: number | undefined) {
    const asked = { sessionId, terminalId, captureAmount };
    const answer = await call(`capture ${sessionId}`, (deps) => capturePayment(deps, callBy(deps), asked));
    if (answer?.ok) known.captureAmount = captureAmount === undefined ? -1 : captureAmount * 100;
    return answer;
  }

  async function refund({ known, request: { sessionId, terminalId } }: Plan, named: RefundNames, refundAmount: number) {
    const reason = "returned";
    const asked = { sessionId, terminalId, currency: "SEK", refundAmount, reason, ...named };
    const answer = await call(`refund ${sessionId}`, (deps) => refundPayment(deps, callBy(deps), asked));
    const isAccepted = answer?.ok === true;
    known.refunds.push({ names: comparedNames(named), amount: refundAmount * 100, reason, isAccepted });
    if (isAccepted)
      for (const { refundID } of toPaymentObject(answer.value.payment).refunds) known.refundIds.add(refundID);
    return answer;
  }

  function discount({ request: { sessionId } }: Plan, discountId: string, isVoucher: boolean) {
    const asked = { sessionId, discountId, ...(isVoucher ? { voucherCode: voucherId } : { discountAmount: 5 }) };
    return call(`discount ${sessionId}`, (deps) => addDiscount(deps, callBy(deps), asked));
  }

  /** The voucher is shown everywhere within the same second. */
  const isRush = random.chance(0.1);
  const soon = () => random.between(SECOND, 20 * SECOND);
  const isCurrentlyImpossible = (answer: Result<unknown, Refusal>) =>
    !answer.ok && answer.error.code === "invalid_state";

  async function requesting(plan: Plan, start: number): Promise<void> {
    await agenda.sleep(start);
    const { known } = plan;
    await insist(() => request(plan), {
      times: random.pick(1, 4, 15),
      pause: () => random.between(200, random.chance(0.3) ? MINUTE : 8 * SECOND),
      enough: () => known.acknowledged || known.conflicts || known.ruledOut,
    });
  }

  async function cancelling(plan: Plan, start: number): Promise<void> {
    await agenda.sleep(start);
    await insist(() => cancel(plan), { times: 60, pause: soon });
  }

  async function capturing(plan: Plan, start: number): Promise<void> {
    await agenda.sleep(start);
    const isAutomatic = plan.request.captureMode === "automatic";
    const amount = isAutomatic ? undefined : random.pick(undefined, undefined, 100);
    const untilAuthorized = (answer: Result<unknown, Refusal>) => !isCurrentlyImpossible(answer);
    await insist(() => capture(plan, amount), {
      times: 8,
      pause: () => random.between(5, 60) * SECOND,
      enough: untilAuthorized,
    });
  }

  async function refunding(plan: Plan, start: number): Promise<void> {
    await agenda.sleep(start);
    for (const amount of random.pick([50], [125.5], [70, 70], [20, 20, 50], [50, 20, 20, 20])) {
      const named = drawRefundNames(random, [...plan.known.refundIds]);
      const untilCaptured = (answer: Result<unknown, Refusal>) => !isCurrentlyImpossible(answer);
      await insist(() => refund(plan, named, amount), {
        times: 6,
        pause: () => random.between(5, 90) * SECOND,
        enough: untilCaptured,
      });
    }
  }

  async function discounting(plan: Plan, start: number, isVoucher: boolean): Promise<void> {
    await agenda.sleep(start);
    const discountId = world.newId();
    await insist(() => discount(plan, discountId, isVoucher), { times: 4, pause: soon });
  }

  return {
    carryThrough(plan) {
      // Many at once, for what happens within milliseconds; or one after the other, for what one leaves to the next.
      const start = random.between(0, isRush ? 100 : random.pick(30, 30, 100, 6 * MINUTE, 6 * MINUTE));
      void requesting(plan, start);
      const around = random.between(-200, random.pick(1, 5, 60, 200) * SECOND);
      if (random.chance(0.35)) void cancelling(plan, Math.max(0, start + around));
      if (isRush) void discounting(plan, start + random.between(500, 1_000), true);
      else if (random.chance(0.4)) void discounting(plan, start + random.between(0, 20 * SECOND), random.chance(0.6));
      if (random.chance(0.5)) void capturing(plan, start + random.between(5, 60) * SECOND);
      if (random.chance(0.4)) void refunding(plan, start + random.between(20, 180) * SECOND);
    },
    cancelOnce: cancel,
    requestOnce: async (plan) => (await request(plan))?.ok === true,
    async findOut({ sessionId, known }) {
      const read = await call(`read ${sessionId}`, (deps) => readPayment(deps, callBy(deps), sessionId));
      if (!read) return world.violate("a read fails although all is calm", sessionId);
      if (read.ok) known.acknowledged = true;
      else known.ruledOut = true;
    },
  };
}
