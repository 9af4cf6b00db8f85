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

/** An alert as the command line shows it. */
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

/** What the operator found to do. */
interface Step {
  readonly what: string;
  readonly words: readonly string[];
}

interface Circumstances {
  readonly random: Random;
  /** What terminals and acquirer did to the cards so far; the operator has the acquirer do more. */
  readonly actions: TerminalAction[];
  readonly count: (what: string) => void;
  /** The sessions whose webhooks somebody may want again. */
  readonly sessions: () => readonly { readonly sessionID: string; readonly partnerID: string }[];
}

/** A terminal may still be at it: the operator does not take its word away before. */
const PATIENCE_MS = 3_000;

/**
 * An operator who has the acquirer's records: looks at each open alert, ends what no terminal will end, has the acquirer give back what the
 * books do not hold, is mistaken now and then and corrects it, and closes the alerts of a payment once its books are as the cards. Repairs, and replays webhooks, now and then.
 */
export function startOperator(file: StackFile, { random, actions, count, sessions }: Circumstances) {
  const { shown, admin } = operatorOf(file);
  const { payments } = tablePorts(azureTables(file.tables));
  const leaving = new AbortController();
  const mistakes = new Set<string>();
  let isIdle = false;

  const openAlerts = () => shown<ShownAlert[]>("alert", "list");

  /** What the command refuses is refused for the moment: the payment has moved on since it was read. */
  async function run({ what, words }: Step): Promise<void> {
    const why = what.startsWith("close") ? "the books are as the cards" : "as the acquirer's records say";
    try {
      await shown(...words, "--by", "chaos", "--why", why);
      count(`operator: ${what}`);
    } catch (error) {
      count(`operator refused: ${what}: ${error instanceof Error ? error.message.slice(0, 80) : String(error)}`);
    }
  }

  /** Has the acquirer do to a card what no terminal does. */
  function acquirer(told: "voided" | "captured", sessionID: string, { chargeId: chargeID, amount }: Card) {
    count(`acquirer: ${told}`);
    const major = fromMinorUnits(amount, CURRENCY);
    const none = { messageID: undefined, refundID: undefined, isCaptured: false };
    actions.push({ ...none, sessionID, asked: "operator", told, chargeID, amount: major });
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

  /** The charge is given back; or, now and then, left with the merchant. A mistaken operator says the other. */
  function endOf(sessionId: string, { chargeId }: Charge, cards: readonly Card[]): string[] {
    const card = cards.find((one) => one.chargeId === chargeId);
    const isKept = card !== undefined && isLive(card) && random.chance(0.3);
    if (card && isKept && card.taken === 0) acquirer("captured", sessionId, card);
    if (card && !isKept && isLive(card)) acquirer("voided", sessionId, card);
    return ["--charge", chargeId, "--outcome", isKept === isMistaken(sessionId) ? "reversed" : "kept"];
  }

  /** It is found when the books are held against the cards once more, since its alert is open still. */
  function isMistaken(sessionId: string): boolean {
    const is = random.chance(0.35);
    if (is) {
      mistakes.add(sessionId);
      count("operator: is mistaken");
    }
    return is;
  }

  /** One live card may have paid for it; everything else is given back. */
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
   * Has the first thing corrected that differs: the cards where the acquirer can, else the books. Only what an alert names, or a mistake
   * brought about: what else differs is the platform's fault, and left for the checker to find.
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

  /** Looks at everything once; true where there was something to do. */
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

  /** An alert of a terminal or of the platform. */
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
        count("operator: finds the tables away");
      }
      await sleep(1_500, undefined, { signal: leaving.signal }).catch(() => {});
    }
  })();
  return {
    /** In the last round there was nothing to do. */
    isIdle: () => isIdle,
    /** All that were raised. */
    allAlerts: () => shown<ShownAlert[]>("alert", "list", "--all"),
    async leave() {
      leaving.abort();
      await working;
    },
  };
}
