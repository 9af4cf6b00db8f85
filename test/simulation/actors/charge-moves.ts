import type { TerminalMessage } from "../../../shared/domain/terminal-message.ts";
import type { World } from "../world/world.ts";
import type { CardLedger } from "./card-ledger.ts";
import type { ArrivalOf, TerminalMemory, Told } from "./terminal-memory.ts";

type Move = "capture" | "void" | "refund";
export type MoveArrival = ArrivalOf<Move>;

/** The part of a terminal that captures, voids and refunds charges, each of which is named by its message, and says how it went. */
export function createChargeMoves(
  world: World,
  ledger: CardLedger,
  memory: TerminalMemory,
): (arrival: MoveArrival) => Told {
  function move(sessionId: string, message: MoveArrival["message"]): Told {
    const { chargeId } = message;
    const name = { sessionId, chargeId };
    const fails = world.weather.fault(0.1);
    switch (message.type) {
      case "capture": {
        const { amount, currency } = message;
        if (fails) return { type: "captureFailed", facts: { chargeId } };
        ledger.capture(name, amount);
        return { type: "captured", facts: { chargeId, amount, currency } };
      }
      case "void":
        if (fails) return { type: "voidFailed", facts: { chargeId } };
        ledger.voidCharge(name);
        return { type: "voided", facts: { chargeId } };
      case "refund": {
        const { refundId, amount, currency } = message;
        if (fails) return { type: "refundFailed", facts: { refundId } };
        ledger.refund(name, refundId, amount);
        return { type: "refunded", facts: { refundId, amount, currency } };
      }
    }
  }

  return ({ sessionId, message }) => {
    const told = move(sessionId, message);
    const run = memory.runs.get(sessionId);
    if (run && message.type === "refund") run.refunds.set(message.refundId, told);
    else if (run && run.charges[0]?.chargeId === message.chargeId) run.latest = told;
    return told;
  };
}

export const isMove = (message: TerminalMessage): message is MoveArrival["message"] =>
  message.type === "capture" || message.type === "void" || message.type === "refund";
