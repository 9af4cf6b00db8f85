import { isDeepStrictEqual } from "node:util";
import { toPaymentObject, type PaymentObject } from "../../../shared/contracts/objects/payment.ts";
import type { World } from "../world/world.ts";
import { isSaidToBePaid } from "./webhooks.ts";
import type { Session } from "./snapshot.ts";

/**
 * A partner that follows only its feed knows each payment: the last event shows the payment as it is, and a payment without an event is as
 * it was requested.
 *
 * @param bodies the feed's events of the payment, in their order
 */
export function checkRebuilt(world: World, { plan, payment, history }: Session, bodies: readonly string[]): void {
  const last = bodies.at(-1);
  if (!payment) return;
  if (last === undefined) {
    const isAsRequested = payment.status === "pending" && payment.discounts.length === 0;
    if (!isAsRequested)
      world.violate("the feed alone shows no change of a payment", `${plan.sessionId} ${payment.status}`);
    return;
  }
  const { data, type } = JSON.parse(last) as { readonly type: string; readonly data: PaymentObject };
  const real = JSON.parse(JSON.stringify(toPaymentObject(payment))) as PaymentObject;
  const isSaid = history.some(isSaidToBePaid);
  const names = new Set(data.charges.map(({ chargeID }) => chargeID));
  const charges = real.charges.filter(
    ({ chargeID, status }) => names.has(chargeID) || !isSaid || status !== "captured",
  );
  const [told, is] = [known(data), known({ ...real, charges })];
  for (const member of Object.keys(is) as (keyof typeof is)[])
    if (!isDeepStrictEqual(told[member], is[member]))
      world.violate(
        `the feed alone shows other ${member}`,
        `${plan.sessionId} after ${type}: ${JSON.stringify(told[member])} in place of ${JSON.stringify(is[member])}`,
      );
}

const without = <Of extends object, Name extends string>(one: Of, ...names: readonly Name[]): Omit<Of, Name> =>
  Object.fromEntries(Object.entries(one).filter(([name]) => !names.includes(name as Name))) as Omit<Of, Name>;

/** The details of a movement. A later report may add them. */
const DETAILS = ["card", "acquirer", "declineCode", "hostCode"] as const;

/** The payment without the members that change without an event. */
const known = ({ status, statusReason, amounts, charges, refunds, discounts }: PaymentObject) => ({
  status,
  statusReason,
  amounts,
  charges: charges.map((charge) => without(charge, "updatedAt", "capture", "reversal", "declineCode", "hostCode")),
  refunds: refunds.map((refund) =>
    without(refund, "updatedAt", ...DETAILS, ...(refund.status === "pending" ? ["statusReason", "deliverBefore"] : [])),
  ),
  discounts: discounts.map((discount) => without(discount, "updatedAt")),
});
