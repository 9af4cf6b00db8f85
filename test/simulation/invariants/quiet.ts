import { dayOf } from "../../../shared/domain/time.ts";
import { holdsTerminal } from "../../../shared/domain/payment/payment.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { Plan } from "../actors/plan.ts";
import { nameOf } from "../platform/service-bus.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import { END, instantAt } from "../world/time.ts";
import type { World } from "../world/world.ts";

const LAST_DAY = dayOf(instantAt(END));

/**
 * At the end no messages, no effective claims, and no rows to remove are left. A fault at the wrong moment may leave a concluded row or a
 * tombstone in an inbox. Those are counted and returned.
 */
export async function checkQuiet(
  world: World,
  ending: Ending,
  { ports, bus }: Platform,
  devices: readonly TerminalDevice[],
  plans: readonly Plan[],
  ledger: CardLedger,
): Promise<number> {
  // A charge that cannot be voided is tried for ever, and a day that is not over cannot settle.
  const today = devices.map(({ terminal: { partnerId, terminalId } }) => ({ partnerId, terminalId, day: LAST_DAY }));
  const days = await Promise.all(today.map((key) => ports.terminalDays.find(key)));
  const mayGoOn =
    devices.some((d) => d.diesForEver) ||
    plans.some((p) => ledger.isForgotten(p.sessionId)) ||
    days.some((found) => found?.terminalDay.status === "open");
  if (ending !== "quiet" && !(ending === "time is up" && mayGoOn)) world.violate("never quiet", ending);
  for (const message of bus.deadLetters) world.violate("a dead letter", nameOf(message));
  let leftovers = 0;
  for (const { terminal, diesForEver, memory, hasSaidLost } of devices) {
    if (diesForEver) continue;
    const view = await ports.terminals.find(terminal.terminalId);
    const known = view?.claim ? await ports.alerts.of(view.claim.sessionId) : [];
    // A payment that a terminal may have forgotten, or whose charge a restore lost, holds it until an operator, who is called, resolves it.
    const isBehind = view?.claim !== undefined && world.lostTime.behind.has(view.claim.sessionId);
    const isForgotten = (hasSaidLost() || isBehind) && known.some(({ alert }) => alert.status === "open");
    // The claim of an ended payment counts as none, because the next payment reads its holder.
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
        world.violate("a message was never concluded", `${row.messageId} ${row.message.type}`);
      } else {
        const { sessionId, sequence } = row.slot;
        const what = `${row.state} ${sessionId} ${sequence}`;
        leftovers++;
        world.trace?.(terminal.terminalId, `left over: ${what}`);
        if (plans.some((p) => p.isCalm && p.sessionId === sessionId)) world.violate("rows are left in an inbox", what);
      }
    }
  }
  return leftovers;
}
