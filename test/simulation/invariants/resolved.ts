import { isFinal, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { TerminalMessage } from "../../../shared/domain/terminal-message.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { Platform } from "../platform/platform.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * No message of an operator's resolved subject waits in an inbox, even if the terminal is silent forever. If the terminal returned, it
 * would carry the message out.
 */
export async function checkResolved(
  world: World,
  sessions: readonly Session[],
  { ports }: Platform,
  devices: readonly TerminalDevice[],
): Promise<void> {
  for (const session of sessions) checkContradicted(world, session);
  for (const { terminal } of devices) {
    for (const { message, slot } of await ports.inboxes.unanswered(terminal.terminalId)) {
      const session = sessions.find(({ plan }) => plan.sessionId === slot.sessionId);
      if (session?.payment && isPointless(message, session.payment, session))
        world.violate("a message remains after an operator's resolution", `${slot.sessionId} ${message.type}`);
    }
  }
}

function isPointless(message: TerminalMessage, payment: Payment, { history }: Session): boolean {
  const wasResolved = history.some(({ event }) => event === "settledPaid" || event === "settledUnpaid");
  switch (message.type) {
    case "payment":
    case "capture":
      return wasResolved && isFinal(payment.status);
    case "void": {
      const charge = payment.charges.find((c) => c.chargeId === message.chargeId);
      // If a terminal reported the reversal and is gone before the row is removed, the message stays.
      return (
        charge?.status === "kept" ||
        (charge?.status === "reversed" &&
          history.some(({ by }) => by === "operator") &&
          !history.some(({ event, by }) => event === "reversed" && by === "terminal"))
      );
    }
    case "refund": {
      const refund = payment.refunds.find((r) => r.refundId === message.refundId.toLowerCase());
      return refund?.statusReason === "settledByOperator";
    }
    default:
      return false;
  }
}

/**
 * An operator resolved the payment as paid, and a terminal reports its first charge. That charge is the payment's own, or in doubt. The
 * platform does not void it by itself.
 */
function checkContradicted(world: World, { payment, history }: Session): void {
  const first = payment?.charges[0]?.chargeId;
  const voided = history.findIndex(({ by, alerts = [] }) => {
    return by === "terminal" && alerts.some(({ kind, about }) => kind === "unwantedApproval" && about === first);
  });
  const before = history.slice(0, Math.max(0, voided)).findLast(({ by }) => by === "operator");
  if (first !== undefined && before?.event === "settledPaid")
    world.violate("a charge that contradicts an operator was voided", `${payment?.sessionId} ${first}`);
}
