import type { Refusal } from "../../../shared/domain/refusal.ts";
import type { Result } from "../../../shared/domain/result.ts";
import type { Terminal } from "../../../shared/domain/terminal.ts";
import { addDiscount } from "../../../shared/use-cases/payments/add-discount.ts";
import type { Caller } from "../../../shared/use-cases/caller.ts";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { capturePayment } from "../../../shared/use-cases/payments/capture-payment.ts";
import { readPayment } from "../../../shared/use-cases/payments/read-payment.ts";
import { recordReport } from "../../../shared/use-cases/payments/record-report.ts";
import { refundPayment } from "../../../shared/use-cases/payments/refund-payment.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { callFrom, callOf } from "../../support/calls.ts";
import { rememberingTerminals, type Deps } from "../platform/platform.ts";
import { MINUTE } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Client } from "./client.ts";
import type { Plan } from "./plan.ts";

interface Neighbours {
  readonly partnerIds: readonly string[];
  readonly terminals: readonly Terminal[];
}

/**
 * An unauthorized caller of a session: another partner, a key of the same partner that does not reach the terminal, or another terminal.
 * Every call must get "not found" and leave the session unchanged.
 */
export function startStranger(world: World, { call }: Client, { partnerIds, terminals }: Neighbours) {
  const { agenda, quirks } = world;

  function callerBeside({ partnerId }: Plan): Caller {
    const [other] = partnerIds.filter((id) => id !== partnerId);
    const beyondReach: Caller = { partnerId, keyId: "elsewhere", terminalIds: ["elsewhere"] };
    return other === undefined ? beyondReach : quirks.pick(beyondReach, { partnerId: other, keyId: "other" });
  }

  function attempt(plan: Plan): (deps: Deps) => Promise<Result<unknown, Refusal>> {
    const { sessionId, request } = plan;
    const { terminalId, currency } = request;
    const target = { sessionId, terminalId };
    const caller = callerBeside(plan);
    const [otherTerminal] = terminals.filter((t) => t.terminalId !== terminalId);
    const as = (deps: Deps) => callOf(deps, caller);
    return quirks.pick<(deps: Deps) => Promise<Result<unknown, Refusal>>>(
      (deps) => requestPayment(deps, as(deps), request),
      (deps) => readPayment(deps, as(deps), sessionId),
      (deps) => cancelPayment(deps, as(deps), target),
      (deps) => capturePayment(deps, as(deps), { ...target, captureAmount: undefined }),
      (deps) =>
        refundPayment(rememberingTerminals(deps), as(deps), { ...target, currency, refundAmount: 1, reason: "none" }),
      (deps) => addDiscount(deps, as(deps), { sessionId, discountAmount: 1 }),
      (deps) => addDiscount(deps, as(deps), { terminalId, discountAmount: 1 }),
      (deps) => {
        const report = { reportId: world.newId(), type: "declined" } as const;
        const from = otherTerminal ?? { ...plan.terminal, terminalId: "elsewhere" };
        return recordReport(deps, callFrom(deps, from), sessionId, report);
      },
    );
  }

  async function tryOnce({ sessionId }: Plan, tries: ReturnType<typeof attempt>): Promise<void> {
    const answer = await call(`a stranger tries ${sessionId}`, tries);
    const isHidden =
      answer?.ok === false && /^(?:(?:payment|terminal)_not_found|payment_never_requested)$/.test(answer.error.code);
    if (answer && !isHidden) world.violate("an unauthorized caller reached a session", sessionId);
  }

  return (plan: Plan): void => {
    if (!quirks.chance(0.15)) return;
    const tries = attempt(plan);
    agenda.after(quirks.between(0, quirks.pick(1, 5) * MINUTE), () => void tryOnce(plan, tries));
  };
}
