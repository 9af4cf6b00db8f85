import { fromMinorUnits } from "../../../shared/domain/money.ts";
import type { OutsideResolution, RefundResolution } from "../../../shared/domain/payment/operator/resolution.ts";
import { refundable, refundedAs, refundsOf } from "../../../shared/domain/payment/record/kept-money.ts";
import type { Payment, Refund } from "../../../shared/domain/payment/record/payment.ts";
import type { TablePorts } from "../../../shared/stores/stores.ts";
import { recordResolution } from "../../../shared/use-cases/operator/record-resolution.ts";
import { aCall } from "../../support/calls.ts";
import type { Http } from "../platform/http.ts";
import { HOUR, MINUTE, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import { kept, type CardLedger } from "./card-ledger.ts";
import { differencesOf } from "./differences.ts";
import type { Plan } from "./plan.ts";

interface Surroundings {
  readonly http: Http;
  /** The tables, without faults. */
  readonly ports: TablePorts;
  readonly ledger: CardLedger;
  readonly plans: readonly Plan[];
}

/** The probability that merchants of a world return money outside the platform. */
const OUTSIDE = 0.2;

/** Money of a payment that can be returned outside: the charge, and what is left of it in minor units. */
interface Returnable {
  readonly chargeId: string;
  readonly left: number;
}

/**
 * In some worlds a merchant returns captured money through the acquirer, without the terminal, and an operator records it. The acquirer is
 * first. If the platform refuses the record, the acquirer takes the return back. Sometimes the operator names too much, or takes the record
 * back. Every call may be lost or fail halfway, and is then repeated.
 */
export function startOutsideRefunds(world: World, { http, ports, ledger, plans }: Surroundings): void {
  const { agenda, faultPlan } = world;
  const fate = world.fateOf("money that is returned outside");
  if (!fate.chance(OUTSIDE)) return;
  let references = 0;
  const read = async (plan: Plan): Promise<Payment | undefined> => (await ports.payments.find(plan))?.payment;

  /** Repeats the call until it has a response. Its outcome is in the books, because an earlier call may have been carried out. */
  async function record(seen: Payment, word: OutsideResolution | RefundResolution): Promise<void> {
    const resolution = { ...word, by: "outside operator", why: "as the acquirer has it" };
    for (let times = 0; times < 300; times++) {
      const name = `an operator records ${word.of} of ${seen.sessionId}`;
      const answer = await http({ name }, (deps) => recordResolution(deps, aCall(deps), seen, resolution));
      if (answer.kind === "answered") return;
      await agenda.sleep(fate.between(SECOND, 20 * SECOND));
    }
  }

  async function giveBack(plan: Plan): Promise<void> {
    const payment = await read(plan);
    const source = payment && returnable(payment, ledger);
    if (!source) return;
    const { chargeId, left } = source;
    const isTooMuch = fate.chance(0.2);
    const amount = isTooMuch ? left + 1 : fate.pick(1, left, left);
    const reference = `outside-${++references}`;
    const says: OutsideResolution = {
      of: "outside",
      outcome: "refunded",
      amount: fromMinorUnits(amount, payment.currency),
      reference,
      chargeId: fate.chance(0.5) ? chargeId.toUpperCase() : chargeId,
    };
    if (!isTooMuch) ledger.correctRefund(plan.sessionId, reference, amount);
    await record(payment, says);
    ledger.correctRefund(plan.sessionId, reference, undefined);
    const made = (await read(plan))?.refunds.find(({ outsideReference }) => outsideReference === reference);
    if (!made) return faultPlan.meet("money returned outside is not recorded");
    faultPlan.meet("money returned outside is recorded");
    if (isTooMuch) world.violate("more was recorded as returned outside than was left", plan.sessionId);
    if (refundsOf(payment, made.chargeId).some(({ status }) => status === "pending"))
      world.violate("money was recorded as returned outside while a refund was pending", plan.sessionId);
    ledger.correctRefund(plan.sessionId, made.refundId, amount);
    if (fate.chance(0.2)) await takeBack(plan, made);
  }

  /** The operator named the wrong payment: the acquirer has returned nothing of this one. */
  async function takeBack(plan: Plan, { refundId }: Refund): Promise<void> {
    // While the books had none of its money, its order was free, and another session may have taken it.
    const card = ledger.chargesOf(plan.sessionId).find(({ refunds }) => refunds.has(refundId));
    if (card && kept(card) === 0) ledger.leave(card);
    ledger.correctRefund(plan.sessionId, refundId, undefined);
    for (let tries = 0; tries < 10; tries++) {
      const seen = await read(plan);
      if (statusOf(seen, refundId) !== "succeeded" || !seen) return;
      await record(seen, { of: "refund", refundId, outcome: "failed" });
      const now = await read(plan);
      if (statusOf(now, refundId) === "failed") return faultPlan.meet("money returned outside is taken back");
      if (now?.sequence === seen.sequence) world.violate("a refund outside cannot be taken back", plan.sessionId);
    }
  }

  // Most refunds are pending in the first minutes.
  const early = () => fate.between(MINUTE, fate.pick(8, 15, 60) * MINUTE);
  for (const moment of [early(), early(), early(), early(), fate.between(HOUR, 70 * HOUR)])
    agenda.after(moment, () => {
      for (const plan of plans.filter(({ isCalm }) => !isCalm && fate.chance(0.6))) void giveBack(plan);
    });
}

const statusOf = (payment: Payment | undefined, refundId: string): Refund["status"] | undefined =>
  payment?.refunds.find((one) => one.refundId === refundId)?.status;

/** The money that a careful merchant returns: of the only captured charge, if the books agree with the acquirer's records. */
function returnable(payment: Payment, ledger: CardLedger): Returnable | undefined {
  const cards = ledger.chargesOf(payment.sessionId);
  const [card, ...others] = cards.filter(({ taken, givenBack }) => taken > 0 && !givenBack);
  if (!card || others.length > 0 || differencesOf(payment, cards).length > 0) return undefined;
  const { chargeId } = card;
  const left = refundable(payment, refundedAs(payment, { chargeId }));
  return left > 0 && left <= kept(card) ? { chargeId, left } : undefined;
}
