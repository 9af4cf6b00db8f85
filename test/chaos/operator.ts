import { setTimeout as sleep } from "node:timers/promises";
import type { StackFile } from "../../infra/local/stack-file.ts";
import type { AlertKind } from "../../shared/domain/alert.ts";
import { fromMinorUnits } from "../../shared/domain/money.ts";
import { isFinal, type Charge, type Payment } from "../../shared/domain/payment/payment.ts";
import { Unavailable } from "../../shared/ports/failures.ts";
import { azureTables } from "../../shared/tables/azure-tables.ts";
import { tablePorts } from "../../shared/tables/table-ports.ts";
import { names, type Card } from "../simulation/actors/differences.ts";
import { operatorOf } from "../support/admin.ts";
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
interface Step {
  readonly what: string;
  readonly words: readonly string[];
}

interface Circumstances {
  readonly random: Random;
  /** What terminals and acquirer did to the cards so far. The operator orders further actions of the acquirer. */
  readonly actions: TerminalAction[];
  readonly count: (what: string) => void;
  /** The sessions whose webhooks may be replayed. */
  readonly sessions: () => readonly { readonly sessionID: string; readonly partnerID: string }[];
}

/** A terminal may still be active, so the operator waits before acting on an alert. */
const PATIENCE_MS = 3_000;

/**
 * An operator with access to the acquirer's records. The operator checks each open alert, resolves what no terminal will end, has the
 * acquirer give back what the books do not hold, sometimes makes a mistake and corrects it, and closes the alerts of a payment once books
 * and cards agree. Sometimes the operator also runs repair and replays webhooks.
 */
export function startOperator(file: StackFile, { random, actions, count, sessions }: Circumstances) {
  const { shown, admin } = operatorOf(file);
  const { payments } = tablePorts(azureTables(file.tables));
  const leaving = new AbortController();
  const mistakes = new Set<string>();
  let isIdle = false;

  const openAlerts = () => shown<ShownAlert[]>("alert", "list");

  /** A refusal of the command is only counted, because the payment has changed since it was read. */
  async function run({ what, words }: Step): Promise<void> {
    const why = what.startsWith("close") ? "the books are as the cards" : "as the acquirer's records say";
    try {
      await shown(...words, "--by", "chaos", "--why", why);
      count(`operator: ${what}`);
    } catch (error) {
      count(`operator refused: ${what}: ${error instanceof Error ? error.message.slice(0, 80) : String(error)}`);
    }
  }

  /** Records an action of the acquirer on a card that no terminal carries out. */
  function acquirer(outcome: "voided" | "captured", sessionID: string, { chargeId: chargeID, amount }: Card) {
    count(`acquirer: ${outcome}`);
    const major = fromMinorUnits(amount, CURRENCY);
    const none = { messageID: undefined, refundID: undefined, isCaptured: false };
    actions.push({ ...none, sessionID, cause: "operator", outcome, chargeID, amount: major });
  }

  function nextStep(payment: Payment, alerts: readonly ShownAlert[]): Step | undefined {
    const { partnerId, sessionId, status } = payment;
    const of = ["payment", "resolve", "--partner", partnerId, "--session", sessionId];
    const cards = cardsIn(sessionId, actions);
    const isDoubted = (about?: string) =>
      alerts.some(({ alert, about: named }) => alert === "outcomeUnknown" && (named === about || named === undefined));
    const charge = payment.charges.find(
      ({ status, chargeId }) => status === "reversalFailed" || (status === "reversing" && isDoubted(chargeId)),
    );
    if (charge) return { what: `resolve charge ${charge.status}`, words: [...of, ...endOf(sessionId, charge, cards)] };
    if (!isFinal(status) && status !== "authorized" && isDoubted())
      return { what: `resolve ${status}`, words: [...of, ...outcomeOf(payment, cards)] };
    const refund = payment.refunds.find((one) => one.status === "pending" && isDoubted(one.refundId));
    const isRefunded = (refundId: string) => cards.some(({ refunds }) => refunds.has(refundId));
    if (refund)
      return {
        what: "resolve refund pending",
        words: [...of, "--refund", refund.refundId, "--outcome", isRefunded(refund.refundId) ? "succeeded" : "failed"],
      };
    return isMoving(payment) ? undefined : correctionOf(payment, cards, alerts, of);
  }

  /** The charge is given back or, sometimes, left with the merchant. A mistaken operator resolves it the other way. */
  function endOf(sessionId: string, { chargeId }: Charge, cards: readonly Card[]): string[] {
    const card = cards.find((one) => one.chargeId === chargeId);
    const isKept = card !== undefined && isLive(card) && random.chance(0.3);
    if (card && isKept && card.taken === 0) acquirer("captured", sessionId, card);
    if (card && !isKept && isLive(card)) acquirer("voided", sessionId, card);
    return ["--charge", chargeId, "--outcome", isKept === isMistaken(sessionId) ? "reversed" : "kept"];
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

  /** One live card may have paid for it; every other card's money is given back. */
  function outcomeOf({ sessionId, status, charges }: Payment, cards: readonly Card[]): string[] {
    const live = cards.filter(isLive);
    const [card] = live;
    const isOne = card && live.length === 1 && status !== "voidRequested";
    if (isOne && (card.taken > 0 || random.chance(0.5))) {
      if (card.taken === 0) acquirer("captured", sessionId, card);
      const amount = String(fromMinorUnits(card.taken > 0 ? card.taken : card.amount, CURRENCY));
      const isKnown = charges.some(({ chargeId }) => chargeId === card.chargeId);
      return ["--outcome", "paid", "--amount", amount, ...(isKnown ? ["--charge", card.chargeId] : [])];
    }
    for (const one of live) acquirer("voided", sessionId, one);
    return ["--outcome", live.length === 0 && status === "reconciling" && isMistaken(sessionId) ? "paid" : "unpaid"];
  }

  /**
   * Corrects the first difference: on the cards where the acquirer can, else in the books. Only a difference that an alert names or a
   * mistake caused: any other is the platform's fault, and the checker must find it.
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
    if (booked?.status === "captured" || booked?.status === "kept") {
      if (!card || !isLive(card))
        return { what: "correct charge", words: [...of, "--charge", about, "--outcome", "reversed"] };
      const amount = String(fromMinorUnits(card.taken, CURRENCY));
      return { what: "correct amount", words: [...of, "--outcome", "paid", "--amount", amount, "--charge", about] };
    }
    if (card && isLive(card) && booked?.status !== "authorized") acquirer("voided", payment.sessionId, card);
    return undefined;
  }

  async function see(key: { partnerId: string; sessionId: string }, alerts: readonly ShownAlert[]): Promise<boolean> {
    const stored = await payments.find(key);
    if (!stored) return false;
    const { payment } = stored;
    const step = nextStep(payment, alerts);
    if (step) {
      await run(step);
      return true;
    }
    if (isMoving(payment) || differences(payment, cardsIn(key.sessionId, actions)).length > 0) return false;
    for (const { alert, about } of alerts) {
      const words = ["alert", "close", key.sessionId, alert, "--partner", key.partnerId];
      await run({ what: `close ${alert}`, words: [...words, ...(about === undefined ? [] : ["--about", about])] });
    }
    return true;
  }

  /** Checks every open alert once. True where there was work. */
  async function round(): Promise<boolean> {
    const open = await openAlerts();
    const due = open.filter(({ lastAt }) => Date.now() - Date.parse(lastAt) > PATIENCE_MS);
    let didAny = due.length < open.length;
    for (const alerts of Map.groupBy(due, ({ partnerID, sessionID }) => `${partnerID} ${sessionID}`).values()) {
      const { partnerID = "", sessionID } = alerts[0] ?? {};
      if (sessionID === undefined) for (const alert of alerts) await closeOther(alert);
      else if (await see({ partnerId: partnerID, sessionId: sessionID }, alerts)) didAny = true;
    }
    return didAny;
  }

  /** Closes an alert of a terminal or of the platform. */
  const closeOther = ({ alert, pointOfServiceID = "platform", partnerID, day, about }: ShownAlert) =>
    run({
      what: `close ${alert}`,
      words: [
        "alert",
        "close",
        pointOfServiceID,
        alert,
        ...(partnerID === undefined ? [] : ["--partner", partnerID]),
        ...(day === undefined ? [] : ["--day", day]),
        ...(about === undefined ? [] : ["--about", about]),
      ],
    });

  async function helpOut(): Promise<void> {
    if (random.chance(0.3)) {
      const { code, complaint } = await admin("repair", "--all", "--yes");
      count(code === 0 ? "operator: repair" : `operator refused: repair: ${complaint.slice(0, 80)}`);
      return;
    }
    const [first, ...others] = sessions();
    if (!first) return;
    const { sessionID, partnerID } = random.pick(first, ...others);
    const replayed = await shown("webhook", "replay", "--partner", partnerID, "--session", sessionID).catch(
      () => undefined,
    );
    if (replayed) count("operator: webhook replay");
  }

  const working = (async () => {
    for (let rounds = 1; !leaving.signal.aborted; rounds++) {
      try {
        isIdle = !(await round());
        if (rounds % 6 === 0) await helpOut();
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        count("operator: finds the tables unavailable");
      }
      await sleep(1_500, undefined, { signal: leaving.signal }).catch(() => {});
    }
  })();
  return {
    /** Whether the last round found no work. */
    isIdle: () => isIdle,
    /** All alerts that were raised. */
    allAlerts: () => shown<ShownAlert[]>("alert", "list", "--all"),
    async leave() {
      leaving.abort();
      await working;
    },
  };
}
