import { toPaymentObject } from "../../../shared/contracts/objects/payment.ts";
import { addDiscount } from "../../../shared/use-cases/payments/add-discount.ts";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { capturePayment } from "../../../shared/use-cases/payments/capture-payment.ts";
import { readPayment } from "../../../shared/use-cases/payments/read-payment.ts";
import { refundPayment } from "../../../shared/use-cases/payments/refund-payment.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { callOf } from "../../support/calls.ts";
import type { Deps } from "../platform/platform.ts";
import type { Client, Learned } from "./client.ts";
import type { Plan } from "./plan.ts";
import { comparedNames, type RefundNames } from "./refund-names.ts";
import { voucherId } from "./voucher.ts";

/** The calls that a partner makes for its plans, each of which notes what was learned. */
export function createPartnerCalls({ call }: Client) {
  const callBy = (deps: Deps, { partnerId }: Plan) => callOf(deps, { partnerId, keyId: `key of ${partnerId}` });

  return {
    async request(plan: Plan): Promise<Learned<unknown>> {
      const { known, sessionId } = plan;
      const answer = await call(`request ${sessionId}`, (deps) =>
        requestPayment(deps, callBy(deps, plan), plan.request),
      );
      if (!answer) known.inDoubt = true;
      else if (answer.ok) known.acknowledged = true;
      else if (answer.error.code === "session_conflict") known.conflicts = true;
      else if (answer.error.code === "possible_duplicate" && answer.error.sessionId !== undefined)
        known.duplicates.add(answer.error.sessionId);
      return answer;
    },
    async cancel(plan: Plan): Promise<Learned<unknown>> {
      const { sessionId, terminalId } = plan.request;
      const answer = await call(`cancel ${sessionId}`, (deps) =>
        cancelPayment(deps, callBy(deps, plan), { sessionId, terminalId }),
      );
      if (answer?.ok) plan.known.cancelled = true;
      if (answer?.ok === false && answer.error.code === "payment_not_found") plan.known.ruledOut = true;
      return answer;
    },
    async capture(plan: Plan, captureAmount: number | undefined): Promise<Learned<unknown>> {
      const { sessionId, terminalId } = plan.request;
      const asked = { sessionId, terminalId, captureAmount };
      const answer = await call(`capture ${sessionId}`, (deps) => capturePayment(deps, callBy(deps, plan), asked));
      if (answer?.ok) plan.known.captureAmount = captureAmount === undefined ? -1 : captureAmount * 100;
      return answer;
    },
    async refund(plan: Plan, named: RefundNames, refundAmount: number): Promise<Learned<unknown>> {
      const { sessionId, terminalId } = plan.request;
      const reason = "returned";
      const asked = { sessionId, terminalId, currency: "SEK", refundAmount, reason, ...named };
      const answer = await call(`refund ${sessionId}`, (deps) => refundPayment(deps, callBy(deps, plan), asked));
      const isAccepted = answer?.ok === true;
      plan.known.refunds.push({ names: comparedNames(named), amount: refundAmount * 100, reason, isAccepted });
      if (isAccepted)
        for (const { refundID } of toPaymentObject(answer.value.payment).refunds) plan.known.refundIds.add(refundID);
      return answer;
    },
    discount(plan: Plan, discountId: string, isVoucher: boolean): Promise<Learned<unknown>> {
      const { sessionId } = plan;
      const asked = { sessionId, discountId, ...(isVoucher ? { voucherCode: voucherId } : { discountAmount: 5 }) };
      return call(`discount ${sessionId}`, (deps) => addDiscount(deps, callBy(deps, plan), asked));
    },
    read: (plan: Plan) =>
      call(`read ${plan.sessionId}`, (deps) => readPayment(deps, callBy(deps, plan), plan.sessionId)),
  };
}
