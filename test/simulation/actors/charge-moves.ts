import type { TerminalMessage } from "../../../shared/domain/terminal-message.ts";
import type { World } from "../world/world.ts";
import { kept, type CardLedger, type ChargeName } from "./card-ledger.ts";
import type { Flaws } from "./flaws.ts";
import type { ArrivalOf, TerminalMemory, Told } from "./terminal-memory.ts";

type Move = "capture" | "void" | "refund";
type MoveArrival = ArrivalOf<Move>;

interface Surroundings {
  readonly ledger: CardLedger;
  readonly memory: TerminalMemory;
  readonly flaws: Flaws;
}

/** The part of a terminal that captures, voids and refunds charges, each of which is named by its message, and says how it went. */
export function createChargeMoves(
  world: World,
  { ledger, memory, flaws }: Surroundings,
): (arrival: MoveArrival) => Told {
  /** A payment that was resolved without a known charge is refunded without a name: by the one that its terminal knows. */
  const chargeIdOf = ({ sessionId, message }: MoveArrival) =>
    message.chargeId ?? memory.runs.get(sessionId)?.charges[0]?.chargeId;
  const chargeOf = ({ sessionId, message }: MoveArrival) =>
    memory.runs.get(sessionId)?.charges.find((c) => c.chargeId === message.chargeId);

  /** What operator and acquirer have made of a charge may leave nothing to do, or not allow it. */
  function isRefused(arrival: MoveArrival): boolean {
    const { sessionId, message } = arrival;
    const card = ledger.chargesOf(sessionId).find((c) => c.chargeId === chargeIdOf(arrival));
    if (!card || card.givenBack) return message.type !== "void" || !card;
    if (message.type === "capture") return card.taken > 0;
    return message.type === "refund" && kept(card) < message.amount;
  }

  const takenOf = ({ sessionId, chargeId }: ChargeName) =>
    ledger.chargesOf(sessionId).find((c) => c.chargeId === chargeId)?.taken ?? 0;

  /** It has captured, and was misunderstood: a capture that is asked for again moves no money. Any other second one is a fault. */
  const isAskedAgain = (arrival: MoveArrival) =>
    arrival.message.type === "capture" &&
    memory.runs.get(arrival.sessionId)?.isMisunderstood === true &&
    takenOf({ sessionId: arrival.sessionId, chargeId: chargeIdOf(arrival) }) > 0;
  const asBefore = (name: ChargeName, currency: string): Told => {
    const { chargeId } = name;
    return { type: "captured", facts: { chargeId, amount: takenOf(name), currency } };
  };

  /** Whether the acquirer refuses, or the terminal has forgotten the charge. */
  function fails(arrival: MoveArrival): boolean {
    const {
      sessionId,
      message: { type },
    } = arrival;
    const made = chargeOf(arrival);
    if ((type === "void" && made?.isVoided) || isAskedAgain(arrival)) return false;
    if (!made && ledger.isForgotten(sessionId)) return true;
    if (ledger.isMeddledWith(sessionId) && isRefused(arrival)) return true;
    if (type === "void" && made && made.voidsToFail > 0) return made.voidsToFail-- > 0;
    return world.faultPlan.fault(0.1, "acquirer refuses");
  }

  /** Less than was asked, or more where the charge has it, by a flaw. */
  function refundedAmount({ sessionId, message }: MoveArrival): number {
    const { amount, chargeId } = message;
    if (!flaws.happens("refunds another amount")) return amount;
    const card = ledger.chargesOf(sessionId).find((c) => c.chargeId === chargeId && !c.givenBack);
    const isMorePossible = card !== undefined && kept(card) > amount;
    return amount + (isMorePossible && world.random.chance(0.5) ? 1 : amount > 1 ? -1 : 0);
  }

  function move(arrival: MoveArrival): Told {
    const { sessionId, message } = arrival;
    const { currency } = message;
    const chargeId = chargeIdOf(arrival);
    const name = { sessionId, chargeId };
    switch (message.type) {
      case "capture": {
        if (isAskedAgain(arrival)) return asBefore(name, currency);
        const amount = message.amount - (message.amount > 1 && flaws.happens("captures less") ? 1 : 0);
        ledger.capture(name, amount);
        return { type: "captured", facts: { chargeId, amount, currency } };
      }
      case "void": {
        // A new try, whose forerunner's success the platform has not heard of yet: there is nothing left to give back.
        const made = chargeOf(arrival);
        const isBack = ledger.chargesOf(sessionId).some((c) => c.chargeId === chargeId && c.isIrregular && c.givenBack);
        if (isBack) ledger.agreeToGivenBack(name);
        else if (!made?.isVoided) ledger.voidCharge(name);
        if (made) made.isVoided = true;
        return { type: "voided", facts: { chargeId } };
      }
      case "refund": {
        const amount = refundedAmount(arrival);
        const refundId = message.refundId.toLowerCase(); // however the message spells it
        ledger.refund(name, refundId, { asked: message.amount, made: amount });
        const told = flaws.happens("refunds another currency") ? "EUR" : currency;
        return { type: "refunded", facts: { refundId, amount, currency: told } };
      }
    }
  }

  return (arrival) => {
    const { sessionId, message } = arrival;
    const told = fails(arrival) ? failure(message) : move(arrival);
    const run = memory.runs.get(sessionId);
    if (run && message.type === "refund") run.refunds.set(message.refundId.toLowerCase(), told);
    else if (run && run.charges[0]?.chargeId === message.chargeId) run.latest = told;
    return told;
  };
}

const failure = (message: MoveArrival["message"]): Told =>
  message.type === "refund"
    ? { type: "refundFailed", facts: { refundId: message.refundId.toLowerCase() } }
    : { type: `${message.type}Failed`, facts: { chargeId: message.chargeId } };

export const isMove = (message: TerminalMessage): message is MoveArrival["message"] =>
  message.type === "capture" || message.type === "void" || message.type === "refund";
