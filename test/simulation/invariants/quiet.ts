import { holdsTerminal } from "../../../shared/domain/payment/payment.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { Plan } from "../actors/plan.ts";
import { nameOf } from "../platform/service-bus.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";

/**
 * When everything is over nothing is left: no messages, no claim that counts, no row that somebody would have to clear away.
 * A fault at the wrong moment may leave a settled row or a tombstone in an inbox; those are counted and returned.
 */
export async function checkQuiet(
  world: World,
  ending: Ending,
  { ports, bus }: Platform,
  devices: readonly TerminalDevice[],
  plans: readonly Plan[],
  ledger: CardLedger,
): Promise<number> {
  // What cannot be voided is tried for ever.
  const mayGoOn = devices.some((d) => d.diesForEver) || plans.some((p) => ledger.isForgotten(p.sessionId));
  if (ending !== "quiet" && !(ending === "time is up" && mayGoOn)) world.violate("never quiet", ending);
  for (const message of bus.deadLetters) world.violate("a dead letter", nameOf(message));
  let leftovers = 0;
  for (const { terminal, diesForEver, memory, hasSaidLost } of devices) {
    if (diesForEver) continue;
    const view = await ports.terminals.find(terminal.terminalId);
    const known = view?.claim ? await ports.alerts.of(view.claim.sessionId) : [];
    // What a terminal may have forgotten holds it until an operator, who is called, says how it ended.
    const isForgotten = hasSaidLost() && known.some(({ alert }) => alert.status === "open");
    // The claim of a payment that has ended is as good as none: who comes next looks at its holder.
    const holder = view?.claim && (await ports.payments.find(view.claim))?.payment;
    if (
      view?.claim &&
      holder &&
      holdsTerminal(holder.status) &&
      !isForgotten &&
      !memory.runs.get(view.claim.sessionId)?.isStuck
    )
      world.violate("a terminal stays claimed", `${terminal.terminalId} ${view.claim.sessionId}`);
    for (const row of await ports.inboxes.unanswered(terminal.terminalId)) {
      if (row.state === "waiting" || row.state === "fetched") {
        world.violate("a message never settled", `${row.messageId} ${row.message.type}`);
      } else {
        const { sessionId, sequence } = row.slot;
        const what = `${row.state} ${sessionId} ${sequence}`;
        leftovers++;
        world.trace?.(terminal.terminalId, `left over: ${what}`);
        if (plans.some((p) => p.isCalm && p.sessionId === sessionId)) world.violate("an inbox piles up", what);
      }
    }
  }
  return leftovers;
}
