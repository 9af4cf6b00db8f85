import { advance } from "../../domain/payment/advance.ts";
import { toMinorUnits } from "../../domain/money.ts";
import type { Payment } from "../../domain/payment/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Caller } from "../auth/caller.ts";
import { change, findOwn, type ChangePayment } from "./change-payment.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";

export interface CaptureInput {
  readonly sessionId: string;
  readonly terminalId: string;
  /** In the currency's major unit; all that was authorized when left out. */
  readonly captureAmount?: number | undefined;
}

/** Has the terminal capture an authorized payment, once. The same capture again is a replay, with another amount a conflict. */
export async function capturePayment(
  deps: ChangePayment,
  caller: Caller,
  asked: CaptureInput,
  traceparent?: string,
): Promise<Result<{ payment: Payment; replayed: boolean }, Refusal>> {
  return retryOnConflict(async () => {
    const found = await findOwn(deps.payments, caller, asked);
    if (!found.ok) return found;
    const { payment, etag } = found.value;
    const { status: currentStatus } = payment;
    const amount = amountToCapture(payment, asked.captureAmount);
    if (!amount.ok) return amount;
    if (currentStatus === "captureRequested" || currentStatus === "captured") {
      const same = amount.value === (payment.captureAmount ?? payment.amounts.authorized);
      if (same) return ok({ payment, replayed: true });
      return refuse({ code: "invalid_state", currentStatus, detail: "The payment is captured with another amount." });
    }
    const commandId = deps.newId();
    const decided = advance(payment, {
      event: "capture",
      by: "partner",
      now: deps.clock.now(),
      commandId,
      timings: deps.timings,
      set: { captureAmount: amount.value },
    });
    if (!decided) return refuse({ code: "invalid_state", currentStatus });
    return ok({ payment: await change(deps, decided, etag, commandId, traceparent), replayed: false });
  });
}

function amountToCapture({ amounts, currency }: Payment, asked: number | undefined): Result<number, Refusal> {
  if (asked === undefined) return ok(amounts.authorized);
  const minor = toMinorUnits(asked, currency);
  const wrong = (message: string) =>
    refuse({ code: "validation_failed" as const, errors: [{ field: "captureAmount", code: "out_of_range", message }] });
  if (!minor.ok || minor.value === 0) return wrong(`must be a positive amount of ${currency}`);
  if (amounts.authorized > 0 && minor.value > amounts.authorized) return wrong("must not be above what was authorized");
  return minor;
}
