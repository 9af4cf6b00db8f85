import type { CardLedger } from "../actors/card-ledger.ts";
import { differencesOf, names } from "../actors/differences.ts";
import type { Operator } from "../actors/operator.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import { msAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { HiddenByTerminals } from "./hidden.ts";
import type { Session } from "./snapshot.ts";

interface Known {
  readonly operator: Operator | undefined;
  readonly ledger: CardLedger;
  readonly devices: readonly TerminalDevice[];
  readonly hidden: HiddenByTerminals;
}

/**
 * A knowing operator with enough time can end and correct everything. No alert that the operator saw is open, and books and cards agree.
 * The exceptions are a silent terminal, and a loss of memory that no alert reports.
 */
export function checkMended(world: World, session: Session, { operator, ledger, devices, hidden }: Known): void {
  if (operator?.conduct !== "knowing") return;
  const { plan, payment, history, alerts } = session;
  if (world.lostTime.behind.has(plan.sessionId)) return; // no alert names a lost change
  const at = `${plan.sessionId} (${payment?.status ?? "absent"})`;
  const device = devices.find((d) => d.terminal.terminalId === plan.request.terminalId);
  if (device?.isBusyWith(plan.sessionId)) return;
  // The operator corrects a payment at rest, and a dead terminal's refund never lets it rest.
  if (device?.diesForEver && payment?.refunds.some(({ status }) => status === "pending")) return;
  const isReturning = payment?.charges.some(
    ({ status, updatedAt }) => status === "reversing" && msAt(updatedAt) >= operator.lastVisit,
  );
  if (isReturning) return; // the void fails once more, and the operator comes again after its last try
  // A visit makes one correction, and the next one handles the rest.
  const latest = history.at(-1);
  if (latest?.by === "operator" && msAt(latest.at) >= operator.lastVisit) return;
  const isMet = ({ lastAt }: (typeof alerts)[number]) => msAt(lastAt) < operator.lastVisit;
  // The operator closes the alerts of a payment once none has an open cause. So if an alert from before the last visit is open, a newer one
  // must be open too.
  const isDone = !alerts.some((alert) => alert.status === "open" && !isMet(alert));
  for (const alert of alerts) {
    if (alert.status === "open" && isMet(alert) && isDone)
      world.violate("a knowing operator could not close an alert", `${at} ${alert.kind} ${alert.about ?? ""}`);
  }
  for (const difference of differencesOf(payment, ledger.chargesOf(plan.sessionId))) {
    const telling = alerts.filter((alert) => names(alert, difference));
    const told = hidden.get(`${plan.sessionId} ${difference.about}`);
    if (told === "hidden by a terminal whose totals do not show it") continue;
    // A report under a used identifier raises no alert, and a terminal that died reports nothing. An earlier alert may be closed by then.
    const isUnsaid = ledger.isUnheard(plan.sessionId) || device?.diesForEver === true;
    const isUnnamed = isUnsaid && telling.every(({ status }) => status === "closed");
    if (!isUnnamed && telling.every(isMet))
      world.violate("a knowing operator could not correct the books", `${at} ${difference.rule} ${difference.detail}`);
  }
}
