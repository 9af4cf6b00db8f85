import { isFinal } from "../../../shared/domain/payment/record/payment.ts";
import { currentToken } from "../../../shared/use-cases/vouchers/find-token.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import { differencesOf } from "../actors/differences.ts";
import { voucherId } from "../actors/voucher.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import { instantAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import { isInDoubt } from "./discounts.ts";
import type { Session } from "./snapshot.ts";
import { maximumTipOf } from "./tips.ts";

/**
 * The charge of the session that its voucher lowered, if the merchant has or holds it. Once it is taken, the customer has paid with the
 * voucher.
 */
const loweredIn = ({ plan }: Session, ledger: CardLedger) => {
  const asked = plan.known.discounts.flatMap(({ discountId, off }) => (off === "voucher" ? [discountId] : []));
  const isLowered = ({ discountIds }: { readonly discountIds: readonly string[] }) =>
    discountIds.some((id) => asked.includes(id));
  return ledger.chargesOf(plan.sessionId).find((charge) => !charge.givenBack && isLowered(charge));
};

/**
 * Whether the cards and the books of the session agree, and it ended once. Otherwise its voucher was free before its charge was known, and
 * an alert names that.
 */
const isCertain = ({ lostTime }: World, { plan, payment, history }: Session, ledger: CardLedger): boolean =>
  !lostTime.behind.has(plan.sessionId) &&
  !ledger.isUnheard(plan.sessionId) &&
  !history.some(({ event }) => event === "corrected" || event === "chargeKept") &&
  differencesOf(payment, ledger.chargesOf(plan.sessionId)).length === 0;

/** Whether the payment may still be captured with the voucher, or an alert says that this is not known. */
const mayBePaidWith = ({ payment, alerts }: Session): boolean =>
  payment !== undefined &&
  payment.discounts.some(
    (discount) =>
      discount.voucherTokenId === voucherId &&
      (!isFinal(payment.status) || (discount.status === "requested" && isInDoubt(discount, alerts))),
  );

/**
 * Whether the payment was captured, and an operator moved its money since or its cards differ from the books. Or it ended without money, and
 * an operator corrected that. Its voucher stays spent, and another check covers the difference.
 */
const isCorrected = ({ plan, payment, history }: Session, ledger: CardLedger): boolean =>
  history.some(({ event }) => event === "corrected") ||
  (payment?.status === "captured" &&
    (history.some(({ by }) => by === "operator") ||
      differencesOf(payment, ledger.chargesOf(plan.sessionId)).length > 0));

/** Whether the terminal reported the discount as applied, then charged another amount, and an operator recorded the payment as paid. */
const isClaimed = ({ history }: Session): boolean =>
  history.some(({ event }) => event === "discountApplied") &&
  history.some(({ event }) => event === "authorizedOtherAmount") &&
  history.some(({ event }) => event === "settledPaid");

/**
 * Whether the terminal by a flaw charged another amount than the customer saw, and the discounted amount explains it, with a tip if one was
 * asked for. The amount then shows the discount as applied.
 */
const looksLowered = (world: World, session: Session, ledger: CardLedger): boolean => {
  const { plan, payment } = session;
  if (!payment?.discounts.some(({ voucherTokenId, status }) => voucherTokenId === voucherId && status === "applied"))
    return false;
  const left = payment.amounts.requested - payment.amounts.discounted;
  const most = left + maximumTipOf(world, plan, left);
  const charges = ledger.chargesOf(plan.sessionId);
  return !loweredIn(session, ledger) && charges.some(({ amount }) => amount >= left && amount <= most);
};

/**
 * The voucher paid for at most one payment, and is finally in the state that the cards imply. It is redeemed for the payment whose charge
 * it lowered, and released if it lowered none. If a slow worker made a reservation after the end, the reservation is ignored: the next
 * payment gets the voucher.
 */
export async function checkVoucher(
  world: World,
  { sessions, ledger }: { readonly sessions: readonly Session[]; readonly ledger: CardLedger },
  { ports }: Platform,
  ending: Ending,
): Promise<void> {
  const lowered = sessions.filter((session) => loweredIn(session, ledger));
  const certain = lowered.filter(
    (session) => (loweredIn(session, ledger)?.taken ?? 0) > 0 && isCertain(world, session, ledger),
  );
  const names = certain.map(({ plan }) => plan.sessionId).join(" and ");
  if (certain.length > 1) world.violate("a voucher paid twice", names);
  if (ending !== "quiet") return;

  const stored = await ports.accessTokens.find(voucherId);
  const token = stored && (await currentToken(ports, stored.token, instantAt(world.agenda.now())));
  const seen = `${token?.status} for ${token?.use?.sessionId ?? "no payment"}`;
  const [holder] = certain.map(({ plan }) => plan.sessionId);
  const isHeld = sessions.some(mayBePaidWith);
  if (holder !== undefined && (token?.status !== "redeemed" || token.use?.sessionId !== holder))
    world.violate("a voucher paid, but was not redeemed", `${holder}: ${seen}`);
  const isUncertain =
    lowered.length > certain.length ||
    sessions.some(
      (session) =>
        world.lostTime.behind.has(session.plan.sessionId) ||
        isClaimed(session) ||
        isCorrected(session, ledger) ||
        looksLowered(world, session, ledger),
    );
  if (holder === undefined && !isUncertain && !isHeld && token?.status !== "active")
    world.violate("a voucher paid for no payment, but was not released", seen);
}
