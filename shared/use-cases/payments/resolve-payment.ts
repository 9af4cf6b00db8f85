import { resolve, type Resolution } from "../../domain/payment/resolve.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import { amendPayment, type AmendPaymentDeps } from "../outbox/amend-payment.ts";

/** Ends a payment in doubt whose terminal is gone, as an operator says. */
export const resolvePayment = (deps: AmendPaymentDeps, call: CallContext, key: PaymentKey, resolution: Resolution) =>
  amendPayment(deps, call, { key, decide: (payment, context) => resolve(payment, resolution, context) });
