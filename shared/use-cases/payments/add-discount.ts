import type { Decision, DecisionContext } from "../../domain/payment/life/decision.ts";
import { requestDiscount } from "../../domain/payment/requests/discount.ts";
import type { Discount, Payment } from "../../domain/payment/record/payment.ts";
import { canonicalName } from "../../domain/payment/requests/refund-request.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import { whyTooLarge } from "../../stores/payment-weight.ts";
import { MAX_TERMINALS, reachableTerminals, reaches, type PartnerCall } from "../caller.ts";
import { amendPayment, type AmendPaymentDeps, type AmendResult } from "./amend-payment.ts";
import type { FindTokenDeps } from "../vouchers/find-token.ts";
import {
  priceDiscount,
  readVoucher,
  voucherTrouble,
  type FoundVoucher,
  type ReductionInput,
} from "./price-discount.ts";
import type { NewId } from "../../ports/clock.ts";
import type { Needs } from "../needs.ts";

export type AddDiscountDeps = AmendPaymentDeps & FindTokenDeps & Needs<"partners" | "sessions" | "terminals">;

export interface DiscountInput extends ReductionInput {
  readonly sessionId?: string | undefined;
  readonly terminalId?: string | undefined;
  readonly discountId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly reason?: string | undefined;
}

type DiscountRefusal =
  | "payment_not_found"
  | "voucher_not_found"
  | "invalid_state"
  | "voucher_unavailable"
  | "currency_mismatch"
  | "idempotency_mismatch"
  | "validation_failed";

/** Offers a discount to a running payment. The discount counts once the terminal reports that it applied it. */
export async function addDiscount(
  deps: AddDiscountDeps,
  call: PartnerCall,
  input: DiscountInput,
): Promise<Result<AmendResult, Refusal<DiscountRefusal | "target_required">>> {
  const target = await findTarget(deps, call, input);
  if (!target.ok) return target;
  return amendPayment<Refusal<DiscountRefusal>, FoundVoucher>(deps, call, {
    key: target.value,
    read: () => readVoucher(deps, call, input.voucherCode),
    decide: (payment, context, { read }) =>
      reaches(call.caller, payment.terminalId)
        ? decide(payment, input, context, { voucher: read, newId: call.newId })
        : refuse({ code: "payment_not_found" }),
  });
}

function decide(
  payment: Payment,
  input: DiscountInput,
  context: DecisionContext,
  { voucher, newId }: { readonly voucher: FoundVoucher; readonly newId: NewId },
): Decision<DiscountRefusal> {
  const reduction = priceDiscount(payment, input, voucher);
  if (!reduction.ok) return reduction;
  const { voucherTokenId } = reduction.value;
  const name = input.idempotencyKey && canonicalName(input.idempotencyKey);
  const discountId = input.discountId ?? meantBy(payment, name, voucherTokenId)?.discountId ?? newId();
  const decided = requestDiscount(payment, { discountId, name, reason: input.reason, ...reduction.value }, context);
  if (!decided.ok || decided.value === "unchanged") return decided;
  const trouble = voucherTrouble(voucher, payment, context.now) ?? whyTooLarge(decided.value.payment);
  return trouble ? refuse(trouble) : decided;
}

/**
 * The discount that a request without a discountID means: that of its idempotency key, else the discount that already offers this voucher.
 */
const meantBy = (
  { discounts }: Payment,
  name: string | undefined,
  voucherTokenId: string | undefined,
): Discount | undefined =>
  discounts.find((d) => name !== undefined && d.name === name) ??
  discounts.find((d) => voucherTokenId !== undefined && d.voucherTokenId === voucherTokenId && d.status !== "refused");

/**
 * The payment to discount: the named session, else the running payment on the named terminal, else the only running payment that this key
 * reaches.
 */
async function findTarget(
  deps: AddDiscountDeps,
  { caller }: PartnerCall,
  { sessionId, terminalId }: DiscountInput,
): Promise<Result<PaymentKey, Refusal<"payment_not_found" | "target_required">>> {
  const { partnerId } = caller;
  if (sessionId !== undefined) {
    const session = await deps.sessions.find({ partnerId, sessionId });
    if (!session) return refuse({ code: "payment_not_found" });
    return ok({ partnerId, terminalId: session.terminalId, sessionId });
  }
  if (terminalId !== undefined) {
    const running = reaches(caller, terminalId) ? await runningOn(deps, partnerId, terminalId) : undefined;
    return running ? ok(running) : refuse({ code: "payment_not_found" });
  }
  const terminals = await reachableTerminals(deps.partners, caller);
  const required = (detail: string) => refuse({ code: "target_required", detail });
  if (terminals.length > MAX_TERMINALS)
    return required("This key has access to several terminals. Send the sessionID.");
  const found = await Promise.all(terminals.map((id) => runningOn(deps, partnerId, id)));
  const running = found.filter((payment) => payment !== undefined);
  const [only] = running;
  if (!only || running.length > 1) return required(`${running.length} payments are running. Send the sessionID.`);
  return ok(only);
}

async function runningOn(deps: AddDiscountDeps, partnerId: string, terminalId: string): Promise<Payment | undefined> {
  const view = await deps.terminals.find(terminalId);
  const holder = view?.claim.holder;
  if (!holder || view.terminal.partnerId !== partnerId) return undefined;
  const stored = await deps.payments.find({ partnerId, terminalId, sessionId: holder.sessionId });
  const isRunning = stored?.payment.status === "pending" || stored?.payment.status === "inProgress";
  return isRunning ? stored?.payment : undefined;
}
