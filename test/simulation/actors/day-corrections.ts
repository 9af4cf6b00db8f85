import type { Alert } from "../../../shared/domain/alert.ts";
import { fromMinorUnits } from "../../../shared/domain/money.ts";
import { wantedCharge } from "../../../shared/domain/payment/record/charge.ts";
import { isFinal, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { Day } from "../../../shared/domain/time.ts";
import type { TablePorts } from "../../../shared/stores/stores.ts";
import type { World } from "../world/world.ts";
import type { CardLedger } from "./card-ledger.ts";
import { differencesOf } from "./differences.ts";
import { correctingWord, isAtRest, standingWord, type Word } from "./judgement.ts";
import type { Plan } from "./plan.ts";

/** The actions of an operator at a desk. */
interface Desk {
  read(plan: Plan): Promise<Payment | undefined>;
  say(plan: Plan, seen: Payment, word: Word, isError: boolean): Promise<"done" | "refused">;
  /** Works on the payment, unless another visit already does. */
  alone<T>(plan: Plan, work: () => Promise<T>): Promise<T | undefined>;
  close(alert: Alert, isError: boolean): Promise<void>;
}

interface Surroundings {
  readonly ports: TablePorts;
  readonly ledger: CardLedger;
  readonly plans: readonly Plan[];
}

/** Whether a refund may have been of any charge. The books then take no other charge as kept, or it could be given back twice. */
const mayBeRefunded = (payment: Payment): boolean =>
  wantedCharge(payment) === undefined && payment.refunds.some(({ chargeId }) => chargeId === undefined);

/**
 * The part of an operator who learns that a day differs. The operator finds the payment by the cards and by the terminal's totals, and
 * records it on that day. Sometimes the operator chooses the wrong payment, and reverses the correction.
 */
export function createDayCorrections(world: World, { ports, ledger, plans }: Surroundings, desk: Desk) {
  const fate = world.fateOf("corrections of days");
  const { faultPlan } = world;

  async function correct(plan: Plan, payment: Payment, day: Day, hidden: string): Promise<void> {
    const differences = differencesOf(payment, ledger.chargesOf(plan.sessionId));
    const differs = differences.some(({ about }) => about === hidden);
    // If a refund is also wrong, it is corrected first.
    const isOnly = differences.every(({ about }) => about === hidden);
    const [word, takeBack] = ledger.decide(() =>
      differs ? correctingWord(ledger, payment, hidden) : standingWord(payment, hidden),
    );
    if (!word) return;
    const how = await desk.say(plan, payment, { ...word, businessDay: day }, false);
    if (how === "done") return faultPlan.meet(`operator corrects a day that differs: ${word.of} ${word.outcome}`);
    takeBack();
    const latest = await ports.payments.find(plan);
    const open = await ports.alerts.of(plan.request.terminalId);
    const isStill = open.some(({ alert: { kind, status, subject } }) => {
      return kind === "dayDiffers" && status === "open" && subject.kind === "terminal" && subject.day === day;
    });
    if (latest?.payment.sequence === payment.sequence && isStill && isOnly && !mayBeRefunded(payment))
      world.violate("a day differs, and its payment cannot be corrected", `${plan.sessionId} ${JSON.stringify(word)}`);
  }

  /** Records another payment as paid on that day, and reverses that. */
  async function mistake(plan: Plan, payment: Payment, day: Day): Promise<void> {
    const amount = fromMinorUnits(payment.amounts.requested, payment.currency);
    const wrong = { of: "payment", outcome: "paid", amount, businessDay: day } as const;
    if ((await desk.say(plan, payment, wrong, false)) !== "done") return;
    for (let tries = 0; tries < 10; tries++) {
      const seen = await desk.read(plan);
      if (!seen || seen.amounts.captured === 0) return;
      if ((await desk.say(plan, seen, { of: "payment", outcome: "unpaid" }, false)) === "done")
        return faultPlan.meet("operator takes a wrong correction back");
    }
  }

  async function see(plan: Plan, day: Day): Promise<void> {
    const payment = await desk.read(plan);
    if (!payment || !isAtRest(payment)) return;
    const hidden = ledger.hiddenOf(plan.sessionId);
    if (hidden?.day === day) return correct(plan, payment, day, hidden.about);
    const isUnpaid = isFinal(payment.status) && payment.status !== "captured" && payment.amounts.captured === 0;
    const isBare = payment.charges.length === 0 && ledger.chargesOf(plan.sessionId).length === 0;
    if (isUnpaid && isBare && fate.chance(0.1)) await mistake(plan, payment, day);
  }

  return {
    async seeToDay(alert: Alert, isUnderWay: (plan: Plan) => boolean): Promise<void> {
      const { subject } = alert;
      if (alert.kind !== "dayDiffers" || subject.kind !== "terminal") return;
      const stored = await ports.terminalDays.find(subject);
      if (stored?.terminalDay?.status === "closed") return desk.close(alert, false);
      for (const plan of plans)
        if (plan.request.terminalId === subject.terminalId && !isUnderWay(plan))
          await desk.alone(plan, () => see(plan, subject.day));
    },
  };
}
