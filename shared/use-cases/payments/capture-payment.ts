import { requestCapture, type CaptureInput } from "../../domain/payment/requests/capture.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { Result } from "../../domain/result.ts";
import type { PartnerCall } from "../caller.ts";
import type { AmendResult } from "./amend-payment.ts";
import type { JudgeKeyDeps, KeyRefusal } from "../idempotency-key.ts";
import { type KeyedTarget, keyOfTarget, underKey } from "./under-key.ts";
import { amendOwnPayment, type AmendOwnPaymentDeps } from "./amend-own-payment.ts";

export type CapturePaymentDeps = AmendOwnPaymentDeps & JudgeKeyDeps;

type CaptureRefusal =
  | KeyRefusal["code"]
  | "payment_not_found"
  | "terminal_mismatch"
  | "invalid_state"
  | "validation_failed";

/** Has the terminal capture an authorized payment, once. Repeating the capture is a replay. Another amount is refused. */
export const capturePayment = (
  deps: CapturePaymentDeps,
  call: PartnerCall,
  input: KeyedTarget & CaptureInput,
): Promise<Result<AmendResult, Refusal<CaptureRefusal>>> =>
  amendOwnPayment(
    deps,
    call,
    input,
    underKey(deps, call, keyOfTarget("capture", call, input, waitOf(input)), {
      decide: (payment, context) => requestCapture(payment, input, context),
    }),
  );

const waitOf = ({ deliverWithinSeconds }: CaptureInput): string | undefined =>
  deliverWithinSeconds === undefined ? undefined : `deliverWithinSeconds=${deliverWithinSeconds}`;
