import { percentOf, requestDiscount } from "../domain/discount.ts";
import { toMinorUnits } from "../domain/money.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refusal } from "../domain/refusal.ts";
import { ok, refuse, type Result } from "../domain/result.ts";
import type { Partners } from "../ports/partners.ts";
import type { PaymentKey, StoredPayment } from "../ports/payments.ts";
import type { Terminals } from "../ports/terminals.ts";
import { MOST_TERMINALS, reachableTerminals, reaches, type Caller } from "./caller.ts";
import { change, type ChangePayment } from "./change-payment.ts";
import { again } from "./protocol/again.ts";

export interface AddDiscount extends ChangePayment {
  readonly partners: Partners;
  readonly terminals: Terminals;
}

export interface AskedDiscount {
  readonly sessionId?: string | undefined;
  readonly terminalId?: string | undefined;
  readonly discountId?: string | undefined;
  /** In the currency's major unit. */
  readonly discountAmount?: number | undefined;
  readonly discountPercent?: number | undefined;
  readonly totalVatAmount?: number | undefined;
  readonly reason?: string | undefined;
}

/** Offers a running payment a discount. It counts once the terminal says that it applied it. */
export async function addDiscount(
  deps: AddDiscount,
  caller: Caller,
  asked: AskedDiscount,
  traceparent?: string,
): Promise<Result<{ payment: Payment; replayed: boolean }, Refusal>> {
  const target = await findTarget(deps, caller, asked);
  if (!target.ok) return target;
  return again(async () => {
    const stored = await deps.payments.find(target.value);
    if (!stored || stored === "fence" || !reaches(caller, stored.payment.terminalId)) {
      return refuse({ code: "payment_not_found" });
    }
    const { payment, etag } = stored;
    const amounts = amountsOf(payment, asked);
    if (!amounts.ok) return amounts;
    const commandId = deps.newId();
    const { discountPercent: percent, reason } = asked;
    const request = { discountId: asked.discountId ?? deps.newId(), percent, reason, ...amounts.value };
    const decided = requestDiscount(payment, request, { now: deps.clock.now(), commandId, timings: deps.timings });
    if (!decided.ok) return decided;
    if (decided.value === "replay") return ok({ payment, replayed: true });
    return ok({ payment: await change(deps, decided.value, etag, commandId, traceparent), replayed: false });
  });
}

/** The discount in minor units, and the VAT that is left of it where the caller says so. */
function amountsOf(payment: Payment, asked: AskedDiscount): Result<{ amount: number; vatAfter?: number }, Refusal> {
  const wrong = (field: string) =>
    refuse({
      code: "validation_failed" as const,
      errors: [{ field, code: "custom", message: `must be an amount of ${payment.currency}` }],
    });
  const amount =
    asked.discountPercent === undefined
      ? toMinorUnits(asked.discountAmount ?? 0, payment.currency)
      : ok(percentOf(payment, asked.discountPercent));
  if (!amount.ok) return wrong("discountAmount");
  if (asked.totalVatAmount === undefined) return ok({ amount: amount.value });
  const vat = toMinorUnits(asked.totalVatAmount, payment.currency);
  return vat.ok ? ok({ amount: amount.value, vatAfter: vat.value }) : wrong("totalVatAmount");
}

/** The session named; else the running one of the terminal named; else the only running one that this key reaches. */
async function findTarget(
  deps: AddDiscount,
  caller: Caller,
  asked: AskedDiscount,
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

async function runningOn(deps: AddDiscount, caller: Caller, terminalId: string): Promise<StoredPayment | undefined> {
  const view = await deps.terminals.find(terminalId);
  const { claim } = view ?? {};
  if (!claim || view?.terminal.partnerId !== caller.partnerId) return undefined;
  const stored = await deps.payments.find(claim);
  const running = stored && stored !== "fence" && ["pending", "inProgress"].includes(stored.payment.status);
  return running ? stored : undefined;
}
