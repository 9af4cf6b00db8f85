import { fromMinorUnits } from "../../../shared/domain/money.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { refundPayment } from "../../../shared/use-cases/payments/refund-payment.ts";
import { callOf } from "../../support/calls.ts";
import { rememberingTerminals, type Deps } from "../platform/platform.ts";
import type { World } from "../world/world.ts";
import type { Plan } from "./plan.ts";

/** Requests of partners that the platform must refuse, because an operator has not decided yet. */
export interface RefusedRequests {
  /** A refund, while a charge is in doubt or contradicted. */
  refund(plan: Plan, payment: Payment): Promise<void>;
  /** A cancel, after the terminal reported a capture or a void of the authorized charge. */
  cancel(plan: Plan): Promise<void>;
}

/** `ask` repeats a call until it has a response, a few times. */
export function createRefusedRequests(
  { faultPlan, violate }: World,
  ask: <T>(name: string, handle: (deps: Deps) => Promise<T>) => Promise<T | undefined>,
): RefusedRequests {
  const callBy = (deps: Deps, { partnerId }: Plan) => callOf(deps, { partnerId, keyId: "key" });
  return {
    async refund(plan, { currency }) {
      const { sessionId, terminalId } = plan.request;
      const request = {
        sessionId,
        terminalId,
        currency,
        refundAmount: fromMinorUnits(1, currency),
        reason: "in doubt",
      };
      const answer = await ask(`refund ${sessionId}`, (deps) =>
        refundPayment(rememberingTerminals(deps), callBy(deps, plan), request),
      );
      faultPlan.meet("refund is requested while a charge is in doubt");
      if (answer?.ok) violate("a refund was accepted while a charge is in doubt", sessionId);
    },
    async cancel(plan) {
      const { sessionId, terminalId } = plan.request;
      const answer = await ask(`cancel ${sessionId}`, (deps) =>
        cancelPayment(rememberingTerminals(deps), callBy(deps, plan), { sessionId, terminalId }),
      );
      faultPlan.meet("cancel is requested while a charge waits for an operator");
      if (answer?.ok && !answer.value.replayed)
        violate("a cancel was accepted while a charge waits for an operator", sessionId);
    },
  };
}
