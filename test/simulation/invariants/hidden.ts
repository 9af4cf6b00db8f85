import type { CardLedger, Hidden } from "../actors/card-ledger.ts";
import { movesOn, type SentClosing } from "../actors/day-closings.ts";
import { isClosedInError } from "../actors/operator.ts";
import type { Plan } from "../actors/plan.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { Platform } from "../platform/platform.ts";
import type { World } from "../world/world.ts";
import { sumsOf, sumsOfTotals } from "./day-sums.ts";

type Cause = "named by a day that differs" | "hidden by a terminal whose totals do not show it" | "erring operator";

/**
 * Why books may lack a movement that a terminal hid, by session and charge or refund. If the terminal's totals show the movement, its day
 * differs.
 */
export type HiddenByTerminals = ReadonlyMap<string, Cause>;

interface Surroundings {
  readonly platform: Platform;
  readonly ledger: CardLedger;
  readonly plans: readonly Plan[];
  readonly devices: readonly TerminalDevice[];
  readonly closings: readonly SentClosing[];
}

export async function hiddenByTerminals(world: World, surroundings: Surroundings): Promise<HiddenByTerminals> {
  const found = new Map<string, Cause>();
  for (const plan of surroundings.plans) {
    const hidden = surroundings.ledger.hiddenOf(plan.sessionId);
    const cause = hidden && (await causeOf(world, plan, hidden, surroundings));
    if (cause) found.set(`${plan.sessionId} ${hidden.about}`, cause);
  }
  return found;
}

async function causeOf(
  world: World,
  plan: Plan,
  { of, day }: Hidden,
  { platform: { ports }, ledger, plans, devices, closings }: Surroundings,
): Promise<Cause | undefined> {
  const { terminalId } = plan.request;
  const key = { partnerId: plan.partnerId, terminalId, day };
  const terminalDay = (await ports.terminalDays.find(key))?.terminalDay;
  const counted = closings.find(({ closingId }) => closingId === terminalDay?.closing?.closingId);
  const isTrue = counted && sumsOfTotals(counted.totals) === sumsOf(movesOn(world, { ledger, plans }, key));
  const { namesDays } = devices.find(({ terminal }) => terminal.terminalId === terminalId) ?? {};
  // Another movement of the same amount may be missing from the books, so that both sides have the same sum.
  const isEqual = terminalDay?.status === "closed" || !terminalDay?.differences.some(({ kind }) => kind === of);
  if (!isTrue || isEqual || (!namesDays && world.aheadOfUtc > 0))
    return "hidden by a terminal whose totals do not show it";
  const subject = { kind: "terminal", ...key } as const;
  const alert = (await ports.alerts.find({ subject, kind: "dayDiffers" }))?.alert;
  if (alert?.status === "open") return "named by a day that differs";
  return alert && isClosedInError(alert) ? "erring operator" : undefined;
}
