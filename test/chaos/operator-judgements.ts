import type { AlertKind } from "../../shared/domain/alert.ts";
import { fromMinorUnits } from "../../shared/domain/money.ts";
import {
  chargeInDoubt,
  contradictedCharge,
  isOwnVoid,
  type Charge,
} from "../../shared/domain/payment/record/charge.ts";
import { isFinal, type Payment } from "../../shared/domain/payment/record/payment.ts";
import { names, type Card } from "../simulation/actors/differences.ts";
import type { Random } from "../support/seeded-random.ts";
import { cardsIn, CURRENCY, differences, isLive, isMoving } from "./cards.ts";
import type { TerminalAction } from "./terminal.ts";

/** An alert as the operator's command shows it. */
export interface ShownAlert {
  readonly alert: AlertKind;
  readonly partnerID?: string;
  readonly sessionID?: string;
  readonly pointOfServiceID?: string;
  readonly day?: string;
  readonly about?: string;
  readonly status: "open" | "closed";
  readonly lastAt: string;
}

export const isOf = ({ partnerID, sessionID }: ShownAlert, { partnerId, sessionId }: Payment): boolean =>
  partnerID === partnerId && sessionID === sessionId;

/** A command that the operator decided to run. */
export interface Step {
  readonly what: string;
  readonly words: readonly string[];
}

interface Circumstances {
  readonly random: Random;
  /** The actions of terminals and acquirer on the cards so far. The operator orders further actions of the acquirer. */
  readonly actions: TerminalAction[];
  readonly count: (what: string) => void;
}

/** Returns a function that decides the operator's next command for a payment with open alerts; undefined if there is none. */
export function judgements({ random, actions, count }: Circumstances) {
  const mistakes = new Set<string>();

  /** Records an action of the acquirer on a card, without a terminal. */
  function acquirer(outcome: "voided" | "captured", sessionID: string, { chargeId: chargeID, amount }: Card) {
    count(`acquirer: ${outcome}`);
    const major = fromMinorUnits(amount, CURRENCY);
    const none = { messageID: undefined, refundID: undefined, isCaptured: false };
    actions.push({ ...none, sessionID, cause: "operator", outcome, chargeID, amount: major });
  }

  function nextStep(payment: Payment, alerts: readonly ShownAlert[]): Step | undefined {
    const { partnerId, sessionId, sequence, status } = payment;
    const seen = ["--partner", partnerId, "--session", sessionId, "--sequence", String(sequence)];
    const of = ["payment", "resolve", ...seen];
    const cards = cardsIn(sessionId, actions);
    const isDoubted = (about?: string) =>
      alerts.some(({ alert, about: named }) => alert === "outcomeUnknown" && (named === about || named === undefined));
    // The first try of a reversal that the operator began lasts hours, because the operator's commands have production's deadlines.
    const isCalledFor = ({ chargeId }: Charge) =>
      isDoubted(chargeId) ||
      alerts.some(
        ({ alert, about }) => (alert === "reversalFailed" || alert === "contradictingReport") && about === chargeId,
      );
    const charge = payment.charges.find(
      (one) => one.status === "reversalFailed" || (one.status === "reversing" && isCalledFor(one)),
    );
    if (charge) return { what: `resolve charge ${charge.status}`, words: [...of, ...endOf(payment, charge, cards)] };
    if (!isFinal(status) && status !== "authorized" && status !== "voidRequested" && isDoubted())
      return { what: `resolve ${status}`, words: [...of, ...outcomeOf(payment, cards)] };
    const refund = payment.refunds.find((one) => one.status === "pending" && isDoubted(one.refundId));
    const isRefunded = (refundId: string) => cards.some(({ refunds }) => refunds.has(refundId));
    if (refund)
      return {
        what: "resolve refund pending",
        words: [...of, "--refund", refund.refundId, "--outcome", isRefunded(refund.refundId) ? "succeeded" : "failed"],
      };
    if (isMoving(payment)) return undefined;
    const waiting = contradictedCharge(payment) ?? chargeInDoubt(payment);
    if (waiting) {
      const what = `resolve charge ${waiting.contradicted ? "contradicted" : waiting.status}`;
      return { what, words: [...of, ...asOnCard(payment, waiting, cards)] };
    }
    return correctionOf(payment, cards, alerts, of);
  }

  /** The charge is given back or, sometimes, left with the merchant. A mistaken operator decides the opposite. */
  function endOf(payment: Payment, charge: Charge, cards: readonly Card[]): string[] {
    const { sessionId } = payment;
    const { chargeId } = charge;
    const card = cards.find((one) => one.chargeId === chargeId);
    const isKept = card !== undefined && isLive(card) && random.chance(0.3);
    if (card && isKept && card.taken === 0) acquirer("captured", sessionId, card);
    if (card && !isKept && isLive(card)) acquirer("voided", sessionId, card);
    if (isKept === isMistaken(sessionId)) return ["--charge", chargeId, "--outcome", "reversed"];
    return isOwnVoid(payment, charge)
      ? paidBy(chargeId, card?.taken || charge.amount)
      : ["--charge", chargeId, "--outcome", "kept"];
  }

  const paidBy = (chargeId: string, minor: number): string[] => [
    "--outcome",
    "paid",
    "--amount",
    String(fromMinorUnits(minor, CURRENCY)),
    "--charge",
    chargeId,
  ];

  /** A charge in the books becomes as its card. If the merchant has none of its money, the acquirer gives back what is held. */
  function asOnCard({ sessionId }: Payment, charge: Charge, cards: readonly Card[]): string[] {
    const { chargeId, status, contradicted } = charge;
    const card = cards.find((one) => one.chargeId === chargeId);
    if (card && isLive(card) && card.taken > 0 && status !== "inDoubt")
      return status === "kept" && contradicted
        ? ["--charge", chargeId, "--outcome", "kept"]
        : paidBy(chargeId, card.taken);
    if (card && isLive(card)) acquirer("voided", sessionId, card);
    return status === "authorized" ? ["--outcome", "unpaid"] : ["--charge", chargeId, "--outcome", "reversed"];
  }

  /** The mistake is found at the next comparison of books and cards, because its alert is still open. */
  function isMistaken(sessionId: string): boolean {
    const is = random.chance(0.35);
    if (is) {
      mistakes.add(sessionId);
      count("operator: is mistaken");
    }
    return is;
  }

  /** One live card may have paid for it. The money of every other card is given back. */
  function outcomeOf({ sessionId, status, charges }: Payment, cards: readonly Card[]): string[] {
    const live = cards.filter(isLive);
    const [card] = live;
    if (card && live.length === 1 && (card.taken > 0 || random.chance(0.5))) {
      if (card.taken === 0) acquirer("captured", sessionId, card);
      const amount = String(fromMinorUnits(card.taken > 0 ? card.taken : card.amount, CURRENCY));
      const isKnown = charges.some(({ chargeId }) => chargeId === card.chargeId);
      return ["--outcome", "paid", "--amount", amount, ...(isKnown ? ["--charge", card.chargeId] : [])];
    }
    for (const one of live) acquirer("voided", sessionId, one);
    return ["--outcome", live.length === 0 && status === "reconciling" && isMistaken(sessionId) ? "paid" : "unpaid"];
  }

  /**
   * Corrects the first difference: on the cards if the acquirer can, otherwise in the books. Only a difference that an alert names or that
   * a mistake caused is corrected. Any other is the platform's fault, and the checker must find it.
   */
  function correctionOf(
    payment: Payment,
    cards: readonly Card[],
    alerts: readonly ShownAlert[],
    of: readonly string[],
  ): Step | undefined {
    const difference = differences(payment, cards).find(
      (one) => mistakes.has(payment.sessionId) || alerts.some(({ alert: kind, about }) => names({ kind, about }, one)),
    );
    if (!difference) return undefined;
    const { about } = difference;
    if (difference.of === "refund") {
      const isMade = cards.some(({ refunds }) => refunds.has(about));
      return {
        what: "correct refund",
        words: [...of, "--refund", about, "--outcome", isMade ? "succeeded" : "failed"],
      };
    }
    if (about === payment.sessionId) return { what: "correct payment", words: [...of, "--outcome", "unpaid"] };
    const card = cards.find(({ chargeId }) => chargeId === about);
    const booked = payment.charges.find(({ chargeId }) => chargeId === about);
    if (booked?.status === "captured" || booked?.status === "kept" || booked?.status === "authorized")
      return { what: `correct charge ${booked.status}`, words: [...of, ...asOnCard(payment, booked, cards)] };
    if (card && isLive(card)) acquirer("voided", payment.sessionId, card);
    return undefined;
  }

  return nextStep;
}
