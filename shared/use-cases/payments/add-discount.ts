import { requestDiscount } from "../../domain/payment/discount.ts";
import type { Payment } from "../../domain/payment/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Partners } from "../../ports/partners.ts";
import type { StoredPayment } from "../../ports/payments.ts";
import type { Terminals } from "../../ports/terminals.ts";
import { MOST_TERMINALS, reachableTerminals, reaches, type Caller } from "../auth/caller.ts";
import { change, type ChangePayment } from "./change-payment.ts";
import type { FindTokenDeps } from "../vouchers/find-token.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { voucherTrouble, priceDiscount, type ReductionInput } from "./price-discount.ts";
import type { PaymentKey } from "../../ports/subjects.ts";

export interface AddDiscountDeps extends ChangePayment, FindTokenDeps {
  readonly partners: Partners;
  readonly terminals: Terminals;
}

export interface DiscountInput extends ReductionInput {
  readonly sessionId?: string | undefined;
  readonly terminalId?: string | undefined;
  readonly discountId?: string | undefined;
  readonly reason?: string | undefined;
}

/** Offers a running payment a discount. It counts once the terminal says that it applied it. */
export async function addDiscount(
  deps: AddDiscountDeps,
  caller: Caller,
  asked: DiscountInput,
  traceparent?: string,
): Promise<Result<{ payment: Payment; replayed: boolean }, Refusal>> {
  const target = await findTarget(deps, caller, asked);
  if (!target.ok) return target;
  return retryOnConflict(async () => {
    const stored = await deps.payments.find(target.value);
    if (!stored || !reaches(caller, stored.payment.terminalId)) {
      return refuse({ code: "payment_not_found" });
    }
    const { payment, etag } = stored;
    const reduction = await priceDiscount(deps, payment, asked);
    if (!reduction.ok) return reduction;
    const { voucherTokenId } = reduction.value;
    const commandId = deps.newId();
    const discountId = nameOf(payment, asked.discountId, voucherTokenId) ?? deps.newId();
    const request = { discountId, reason: asked.reason, ...reduction.value };
    const decided = requestDiscount(payment, request, { now: deps.clock.now(), commandId, timings: deps.timings });
    if (!decided.ok) return decided;
    if (decided.value === "replay") return ok({ payment, replayed: true });
    const trouble = await voucherTrouble(deps, voucherTokenId);
    if (trouble) return refuse(trouble);
    return ok({ payment: await change(deps, decided.value, etag, commandId, traceparent), replayed: false });
  });
}

/** The caller's name for the discount; a voucher that is offered to the payment already names itself. */
function nameOf(payment: Payment, named: string | undefined, voucherTokenId: string | undefined): string | undefined {
  if (named !== undefined || voucherTokenId === undefined) return named;
  return payment.discounts.find((d) => d.voucherTokenId === voucherTokenId && d.status !== "refused")?.discountId;
}

/** The session named; else the running one of the terminal named; else the only running one that this key reaches. */
async function findTarget(
  deps: AddDiscountDeps,
  caller: Caller,
  asked: DiscountInput,
): Promise<Result<PaymentKey, Refusal>> {
  const { partnerId } = caller;
  if (asked.sessionId !== undefined) return ok({ partnerId, sessionId: asked.sessionId });
  if (asked.terminalId !== undefined) {
    const running = reaches(caller, asked.terminalId) ? await runningOn(deps, caller, asked.terminalId) : undefined;
    return running ? ok(running.payment) : refuse({ code: "payment_not_found" });
  }
  const terminals = await reachableTerminals(deps.partners, caller);
  const required = (detail: string) => refuse({ code: "target_required" as const, detail });
  if (terminals.length > MOST_TERMINALS) return required("This key reaches many terminals: name the sessionID.");
  const running = (await Promise.all(terminals.map((id) => runningOn(deps, caller, id)))).filter(
    (r) => r !== undefined,
  );
  const [only] = running;
  if (!only || running.length > 1) return required(`${running.length} payments are running: name the sessionID.`);
  return ok(only.payment);
}

async function runningOn(
  deps: AddDiscountDeps,
  caller: Caller,
  terminalId: string,
): Promise<StoredPayment | undefined> {
  const view = await deps.terminals.find(terminalId);
  const { claim } = view ?? {};
  if (!claim || view?.terminal.partnerId !== caller.partnerId) return undefined;
  const stored = await deps.payments.find(claim);
  const running = stored && ["pending", "inProgress"].includes(stored.payment.status);
  return running ? stored : undefined;
}
