import type { CardLedger } from "../actors/card-ledger.ts";
import { differencesOf, names } from "../actors/differences.ts";
import type { Operator } from "../actors/operator.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import { msAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

interface Known {
  readonly operator: Operator | undefined;
  readonly ledger: CardLedger;
  readonly devices: readonly TerminalDevice[];
}

/**
 * An operator who knows, and has had time, can end and correct everything: no alert that he met is open, and books and cards are one. What he
 * could not know of is a terminal's silence or loss of memory that no alert tells of.
 */
export function checkMended(world: World, session: Session, { operator, ledger, devices }: Known): void {
  if (operator?.conduct !== "knowing") return;
  const { plan, payment, alerts } = session;
  const at = `${plan.sessionId} (${payment?.status ?? "absent"})`;
  const device = devices.find((d) => d.terminal.terminalId === plan.request.terminalId);
  if (device?.isBusyWith(plan.sessionId)) return;
  const isMet = ({ lastAt }: (typeof alerts)[number]) => msAt(lastAt) < operator.lastVisit;
  for (const alert of alerts) {
    if (alert.status === "open" && isMet(alert))
      world.violate("an operator who knows cannot close an alert", `${at} ${alert.kind} ${alert.about ?? ""}`);
  }
  for (const difference of differencesOf(payment, ledger.chargesOf(plan.sessionId))) {
    const telling = alerts.filter((alert) => names(alert, difference));
    const isUntold = telling.length === 0 && (device?.diesForEver === true || ledger.isForgotten(plan.sessionId));
    if (!isUntold && telling.every(isMet))
      world.violate("an operator who knows cannot mend the books", `${at} ${difference.rule} ${difference.detail}`);
  }
}
