import { invalidAmount } from "../../amount-problem.ts";
import { fromMinorUnits, toMinorUnits } from "../../money.ts";
import { invalidField, type Refusal } from "../../refusal.ts";
import { ok, refuse, type Result } from "../../result.ts";
import { advance } from "../life/advance.ts";
import type { Decision, DecisionContext } from "../life/decision.ts";
import { captureWait } from "../life/waits.ts";
import { wantedCharge } from "../record/charge.ts";
import { payableAmount, type Payment } from "../record/payment.ts";
import { contradictedText, unrequestedText } from "./contradicted-charge.ts";
import { unfit } from "./what-fits.ts";

/** A capture as the partner requests it. */
export interface CaptureInput {
  /** In the currency's major unit. Undefined for all that was authorized. */
  readonly captureAmount?: number | undefined;
  /** How long its message waits for the terminal. Undefined for as long as the authorization lasts. */
  readonly deliverWithinSeconds?: number | undefined;
}

/**
 * Captures an authorized payment. The same amount again is a replay. Another amount is refused. After a failed capture the payment is
 * authorized again, and any amount may be requested. A replay keeps the first wait.
 */
export function requestCapture(
  payment: Payment,
  { captureAmount, deliverWithinSeconds }: CaptureInput,
  context: DecisionContext,
): Decision<"validation_failed" | "invalid_state"> {
  const { status: currentStatus } = payment;
  const amount = amountToCapture(payment, captureAmount);
  if (!amount.ok) return amount;
  if (currentStatus === "captureRequested" || currentStatus === "captured") {
    const isSame = isRequested(payment, captureAmount === undefined ? undefined : amount.value);
    return isSame ? ok("unchanged") : refuse(unfit("capture", payment));
  }
  const trouble = whyNotCaptured(payment, amount.value);
  if (trouble !== undefined) return refuse({ code: "invalid_state", currentStatus, detail: trouble });
  const captureWaits = captureWait(payment, context, deliverWithinSeconds);
  const set = { captureAmount: amount.value, captureWaits };
  const change = advance(payment, { ...context, event: "capture", by: "partner", set, amount: amount.value });
  return change ? ok(change) : refuse(unfit("capture", payment));
}

/** Whether this amount, or all if none is named, was requested before. An operator may have recorded since that more was captured. */
function isRequested(payment: Payment, amount: number | undefined): boolean {
  const { captureAmount, amounts } = payment;
  const requested = captureAmount ?? amounts.authorized;
  const approved = payableAmount(payment) + (wantedCharge(payment)?.tip ?? 0);
  return requested === (amount ?? amounts.authorized) || (amount === undefined && requested === approved);
}

/** Why the terminal must not capture the amount, in minor units. Undefined if it may. */
function whyNotCaptured(payment: Payment, amount: number): string | undefined {
  const own = wantedCharge(payment);
  if (own?.contradicted) return contradictedText("Captures");
  if (own?.captured === undefined || own.captured === amount) return undefined;
  return unrequestedText(payment, own.captured, "Capture this amount.");
}

function amountToCapture(
  { amounts, currency }: Payment,
  captureAmount: number | undefined,
): Result<number, Refusal<"validation_failed">> {
  if (captureAmount === undefined) return ok(amounts.authorized);
  const minor = toMinorUnits(captureAmount, currency);
  if (!minor.ok || minor.value === 0) {
    return refuse(invalidAmount("captureAmount", minor.ok ? "zero" : minor.error, currency));
  }
  if (amounts.authorized > 0 && minor.value > amounts.authorized) {
    const most = fromMinorUnits(amounts.authorized, currency);
    return refuse(invalidField("captureAmount", "out_of_range", `must be at most the authorized amount, ${most}`));
  }
  return minor;
}
