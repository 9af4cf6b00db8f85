import { holdsTerminal, type Payment } from "../../domain/payment/payment.ts";
import type { Orders } from "../../ports/orders.ts";
import type { Payments } from "../../ports/payments.ts";
import { isSamePayment, type PaymentKey } from "../../ports/subjects.ts";
import type { Terminals } from "../../ports/terminals.ts";
import { tellOrder } from "./hold-order.ts";

export interface SettleClaimsDeps {
  readonly payments: Payments;
  readonly terminals: Terminals;
  readonly orders: Orders;
}

/** Tells terminal and order how a payment holds them now: first the terminal, for which others wait. Throws `Conflict`. */
export async function settleClaims(deps: SettleClaimsDeps, key: PaymentKey): Promise<"done"> {
  const stored = await deps.payments.find(key);
  if (!stored) return "done";
  const { payment } = stored;
  if (!holdsTerminal(payment.status)) await leaveTerminal(deps, payment);
  await tellOrder(deps, payment);
  return "done";
}

async function leaveTerminal({ terminals }: SettleClaimsDeps, payment: Payment): Promise<void> {
  const claim = (await terminals.find(payment.terminalId))?.claim;
  if (claim && isSamePayment(claim, payment)) await terminals.releaseClaim(payment.terminalId, claim);
}
