import type { SettlementPage } from "../../shared/contracts/objects/settlement.ts";
import type { Day, Instant } from "../../shared/domain/time.ts";
import type { PartnerDayKey } from "../../shared/ports/subjects.ts";
import type { TablePorts } from "../../shared/stores/stores.ts";
import type { Caller } from "../../shared/use-cases/caller.ts";
import { lookAtDay } from "../../shared/use-cases/bookings/look-at-day.ts";
import { readSettlement, type ReadSettlementDeps } from "../../shared/use-cases/bookings/read-settlement.ts";

/** The whole settlement of a day, as one answer. */
export async function settlementOf(
  deps: ReadSettlementDeps,
  call: { readonly caller: Caller; readonly now: () => Instant },
  date: Day,
): Promise<SettlementPage> {
  const page = await readSettlement(deps, call, { date }, {});
  if (!page.ok) throw new Error(JSON.stringify(page.error));
  return page.value;
}

const silent = { announcements: { send: async () => {} }, log: { write: () => {} } };

/** Looks at a partner's day at this moment, as the platform does, until the look has nothing left to do. */
export async function lookAtSettlement(books: TablePorts, key: PartnerDayKey, at: Instant): Promise<void> {
  let commands = 0;
  const call = { now: () => at, newId: () => `${at}-${++commands}`, traceparent: undefined };
  for (;;) {
    const outcome = await lookAtDay({ ...books, ...silent }, call, key, at);
    if (typeof outcome !== "object" || !("lookAt" in outcome) || outcome.lookAt !== at) return;
  }
}
