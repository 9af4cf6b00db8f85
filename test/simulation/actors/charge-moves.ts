import type { TerminalMessage } from "../../../shared/domain/terminal-message.ts";
import type { World } from "../world/world.ts";
import { kept, type CardLedger, type CardMove, type ChargeName, type Hidden } from "./card-ledger.ts";
import type { AfterAll } from "./after-all.ts";
import type { Flaws } from "./flaws.ts";
import type { Hidings } from "./hidings.ts";
import type { Waits } from "./waits.ts";
import type { ArrivalOf, TerminalMemory, Outcome } from "./terminal-memory.ts";

type Move = "capture" | "void" | "refund";
type MoveArrival = ArrivalOf<Move>;

interface Surroundings {
  readonly ledger: CardLedger;
  readonly memory: TerminalMemory;
  readonly flaws: Flaws;
  readonly waits: Waits;
  readonly hidings: Hidings;
  readonly afterAll: AfterAll;
}
/** Makes a move. `reportLater` gets its true outcome if the terminal hid it at first. */
type MakeMove = (arrival: MoveArrival, reportLater: (outcome: Outcome) => void) => Outcome;

/** The part of a terminal that captures, voids and refunds charges. The message names each charge, and each outcome is reported. */
export function createChargeMoves(
  world: World,
  { ledger, memory, flaws, waits, hidings, afterAll }: Surroundings,
): MakeMove {
  /**
   * If a payment was resolved without a known charge, its refund names no charge. The terminal then uses its first charge that is not given
   * back.
   */
  const chargeIdOf = ({ sessionId, message }: MoveArrival) => {
    const made = memory.runs.get(sessionId)?.charges ?? [];
    const back = new Set(ledger.chargesOf(sessionId).flatMap((card) => (card.givenBack ? [card.chargeId] : [])));
    return message.chargeId ?? (made.find(({ chargeId }) => !back.has(chargeId)) ?? made[0])?.chargeId;
  };
  const chargeOf = ({ sessionId, message }: MoveArrival) =>
    memory.runs.get(sessionId)?.charges.find((c) => c.chargeId === message.chargeId);

  /** Whether the acquirer refuses: after a change by operator and acquirer a charge may have nothing left to do, or not allow the move. */
  function isRefused(arrival: MoveArrival): boolean {
    const { sessionId, message } = arrival;
    const card = ledger.chargesOf(sessionId).find((c) => c.chargeId === chargeIdOf(arrival));
    if (!card || card.givenBack) return message.type !== "void" || !card;
    if (message.type === "capture") return card.taken > 0;
    return message.type === "refund" && kept(card) < message.amount;
  }

  const takenOf = ({ sessionId, chargeId }: ChargeName) =>
    ledger.chargesOf(sessionId).find((c) => c.chargeId === chargeId)?.taken ?? 0;
  /** The business day on which this terminal moved it; undefined if the acquirer did. */
  const dayOfMove = (kind: "capture" | "reversal", { sessionId, chargeId }: ChargeName) => {
    const isMeant = (one: CardMove) => one.kind === kind && one.sessionId === sessionId && one.chargeId === chargeId;
    const move = ledger.moves.find(isMeant);
    return move && world.businessDay(move.at);
  };

  /**
   * Whether the terminal has already captured. The platform took its report as a failure, or lost it by a restore, so the repeated capture
   * moves no money. Any other second capture is a violation.
   */
  const isRepeatedCapture = (arrival: MoveArrival) =>
    arrival.message.type === "capture" &&
    (memory.runs.get(arrival.sessionId)?.isMisunderstood === true || world.lostTime.behind.has(arrival.sessionId)) &&
    takenOf({ sessionId: arrival.sessionId, chargeId: chargeIdOf(arrival) }) > 0;
  const asBefore = (name: ChargeName, currency: string): Outcome => {
    const { chargeId } = name;
    return {
      type: "captured",
      facts: { chargeId, amount: takenOf(name), currency, businessDay: dayOfMove("capture", name) },
    };
  };

  /** Whether the acquirer refuses, or the terminal has forgotten the charge. */
  function fails(arrival: MoveArrival): boolean {
    const {
      sessionId,
      message: { type },
    } = arrival;
    const made = chargeOf(arrival);
    if ((type === "void" && made?.isVoided) || isRepeatedCapture(arrival)) return false;
    if (!made && ledger.isForgotten(sessionId)) return true;
    if (ledger.isMeddledWith(sessionId) && isRefused(arrival)) return true;
    if (type === "void" && made && made.voidsToFail > 0) return made.voidsToFail-- > 0;
    if (type !== "void" && waits.isRefused()) return true;
    return world.faultPlan.fault(0.1, "acquirer refuses");
  }

  /** The refunded amount. By a flaw it is less than requested, or more if the charge has enough. */
  function refundedAmount({ sessionId, message }: MoveArrival): number {
    const { amount, chargeId } = message;
    if (!flaws.happens("refunds another amount")) return amount;
    const card = ledger.chargesOf(sessionId).find((c) => c.chargeId === chargeId && !c.givenBack);
    const isMorePossible = card !== undefined && kept(card) > amount;
    return amount + (isMorePossible && world.random.chance(0.5) ? 1 : amount > 1 ? -1 : 0);
  }

  function move(arrival: MoveArrival): Outcome {
    const { sessionId, message } = arrival;
    const { currency } = message;
    const chargeId = chargeIdOf(arrival);
    const name = { sessionId, chargeId };
    switch (message.type) {
      case "capture": {
        if (isRepeatedCapture(arrival)) {
          ledger.agree(name);
          return asBefore(name, currency);
        }
        const amount = message.amount - (message.amount > 1 && flaws.happens("captures less") ? 1 : 0);
        ledger.capture(name, amount);
        return { type: "captured", facts: { chargeId, amount, currency, businessDay: world.businessDay() } };
      }
      case "void": {
        // A repeated void after a success whose report the platform does not have yet. Nothing is left to give back.
        const made = chargeOf(arrival);
        const isBack = ledger.chargesOf(sessionId).some((c) => c.chargeId === chargeId && c.isIrregular && c.givenBack);
        if (isBack) ledger.agree(name);
        else if (!made?.isVoided) ledger.voidCharge(name);
        if (made) made.isVoided = true;
        return { type: "voided", facts: { chargeId, businessDay: dayOfMove("reversal", name) } };
      }
      case "refund": {
        const amount = refundedAmount(arrival);
        const refundId = message.refundId.toLowerCase(); // as the platform received it
        ledger.refund(name, refundId, { requested: message.amount, made: amount });
        const reported = flaws.happens("refunds another currency") ? "EUR" : currency;
        return {
          type: "refunded",
          facts: { refundId, amount, currency: reported, businessDay: world.businessDay() },
        };
      }
    }
  }

  /** The earlier refund of this name. After a restore the partner may request it again, but it is made only once. */
  function madeBefore({ sessionId, message }: MoveArrival): Outcome | undefined {
    if (message.type !== "refund" || !world.lostTime.behind.has(sessionId)) return undefined;
    const made = memory.runs.get(sessionId)?.refunds.get(message.refundId.toLowerCase());
    return made?.type === "refunded" ? made : undefined;
  }

  /** The outcome that the terminal reports: its true action, or a false one. */
  function reported(arrival: MoveArrival, reportLater: (outcome: Outcome) => void): Outcome {
    const { sessionId, message } = arrival;
    if (fails(arrival)) return failure(message);
    const name = { sessionId, chargeId: chargeIdOf(arrival) };
    if (isClaimed(arrival)) {
      ledger.hide(name, subjectOf(arrival));
      return claimed(arrival);
    }
    if (afterAll.happens("reports a failure, and does it after all")) return failedFirst(arrival, reportLater);
    const truth = move(arrival);
    if (message.type !== "refund" || truth.facts.currency !== message.currency) return truth;
    if (!hidings.happens("reports a refund that it made as failed")) return truth;
    ledger.hide(name, subjectOf(arrival));
    hidings.later(() => {
      const run = memory.runs.get(sessionId);
      if (!run) return;
      run.refunds.set(message.refundId.toLowerCase(), truth);
      reportLater(truth);
    });
    return failure(message);
  }

  /**
   * Reports a failure, because the host was silent. The host carries the move out all the same, and the terminal reports that once it knows.
   * The acquirer knows at once, so it refuses what is not possible any more.
   */
  function failedFirst(arrival: MoveArrival, reportLater: (outcome: Outcome) => void): Outcome {
    const { sessionId, message } = arrival;
    const run = memory.runs.get(sessionId);
    const refundId = message.type === "refund" ? message.refundId.toLowerCase() : undefined;
    ledger.contradict({ sessionId, chargeId: chargeIdOf(arrival) }, refundId);
    let truth = afterAll.isAtOnce() ? move(arrival) : undefined;
    const made = chargeOf(arrival);
    if (made && message.type === "capture") made.voidsToFail += afterAll.refusedVoids();
    afterAll.later(() => {
      if (memory.runs.get(sessionId) !== run) return;
      if (!truth && isStillPossible(arrival)) truth = move(arrival);
      if (!truth) return;
      conclude(arrival, truth);
      reportLater(truth);
    });
    return failure(message);
  }

  function isStillPossible(arrival: MoveArrival): boolean {
    const { sessionId, message } = arrival;
    const card = ledger.chargesOf(sessionId).find((one) => one.chargeId === chargeIdOf(arrival));
    if (!card || card.givenBack) return false;
    if (message.type === "capture") return card.taken === 0;
    if (message.type === "void") return card.refunds.size === 0; // no acquirer voids what it has refunded
    return kept(card) >= message.amount && !card.refunds.has(message.refundId.toLowerCase());
  }

  /** Remembers an outcome, for later queries. */
  function conclude({ sessionId, message }: MoveArrival, outcome: Outcome): void {
    const run = memory.runs.get(sessionId);
    if (run && message.type === "refund") run.refunds.set(message.refundId.toLowerCase(), outcome);
    else if (run && run.charges[0]?.chargeId === message.chargeId) run.latest = outcome;
  }

  const subjectOf = (arrival: MoveArrival): Omit<Hidden, "day"> =>
    arrival.message.type === "refund"
      ? { of: "refund", about: arrival.message.refundId.toLowerCase() }
      : { of: "charge", about: chargeIdOf(arrival) ?? "" };

  const isClaimed = ({ message: { type } }: MoveArrival): boolean =>
    (type === "refund" && hidings.happens("reports a refund that it did not make")) ||
    (type === "capture" && hidings.happens("reports a capture that it did not make"));

  /** A report of a capture or refund that was not made. */
  function claimed(arrival: MoveArrival): Outcome {
    const { amount, currency } = arrival.message;
    const facts = { amount, currency, businessDay: world.businessDay() };
    return arrival.message.type === "refund"
      ? { type: "refunded", facts: { ...facts, refundId: arrival.message.refundId.toLowerCase() } }
      : { type: "captured", facts: { ...facts, chargeId: chargeIdOf(arrival) } };
  }

  return (arrival, reportLater) => {
    const made = madeBefore(arrival);
    if (made) return made;
    const outcome = reported(arrival, reportLater);
    conclude(arrival, outcome);
    return outcome;
  };
}

const failure = (message: MoveArrival["message"]): Outcome =>
  message.type === "refund"
    ? { type: "refundFailed", facts: { refundId: message.refundId.toLowerCase() } }
    : { type: `${message.type}Failed`, facts: { chargeId: message.chargeId } };

export const isMove = (message: TerminalMessage): message is MoveArrival["message"] =>
  message.type === "capture" || message.type === "void" || message.type === "refund";
