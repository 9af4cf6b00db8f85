import type { SettlementDay } from "../../contracts/objects/settlement-days.ts";
import { dayAfter, MOST_SETTLEMENTS, sumOf } from "../../domain/booking.ts";
import { invalidField, type Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { dayOf, type Day } from "../../domain/time.ts";
import type { PartnerCall } from "../caller.ts";
import { eachOf } from "../each-of.ts";
import type { Needs } from "../needs.ts";

export type ListSettlementsDeps = Needs<"partnerDays">;

/**
 * The days from the first to the last that have a settlement, by default the latest ones, each with its status, and with its totals if they
 * are stored. A key for some terminals gets the days and the totals of those. Writes nothing. Throws `Unavailable`.
 */
export async function listSettlements(
  deps: ListSettlementsDeps,
  { caller, now }: Pick<PartnerCall, "caller" | "now">,
  range: { readonly from?: Day | undefined; readonly to?: Day | undefined },
): Promise<Result<readonly SettlementDay[], Refusal<"validation_failed">>> {
  const { to = range.from === undefined ? dayOf(now()) : dayAfter(range.from, MOST_SETTLEMENTS - 1) } = range;
  const { from = dayAfter(to, 1 - MOST_SETTLEMENTS) } = range;
  if (to < from) return refuse(invalidField("to", "out_of_range", "must not be before `from`"));
  if (to > dayAfter(from, MOST_SETTLEMENTS - 1))
    return refuse(invalidField("to", "out_of_range", `must be less than ${MOST_SETTLEMENTS} days after \`from\``));
  const days = Array.from({ length: MOST_SETTLEMENTS }, (_, i) => dayAfter(from, i)).filter((day) => day <= to);
  const found = await eachOf(days, (day) => settlementOf(deps, caller, day));
  return ok(found.filter((day) => day !== undefined));
}

async function settlementOf(
  { partnerDays }: ListSettlementsDeps,
  { partnerId, terminalIds }: PartnerCall["caller"],
  date: Day,
): Promise<SettlementDay | undefined> {
  const key = { partnerId, day: date };
  const read = await partnerDays.find(key);
  if (!read) return undefined;
  const own = terminalIds && (await partnerDays.terminals(key, terminalIds));
  if (own?.length === 0) return undefined;
  if (read.state !== "closed") return { date, isClosed: false };
  const { closedAt, totals } = read;
  return {
    date,
    isClosed: true,
    closedAt,
    totals: own && totals ? sumOf(own.flatMap((one) => one.totals ?? [])) : totals,
  };
}
