import type { Day, Instant } from "../../domain/time.ts";
import type { StoredPartnerDay } from "../../stores/partner-days.ts";
import { eachOf } from "../each-of.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import type { Needs } from "../needs.ts";

export type CloseDayDeps = Needs<"partnerDays" | "terminalDays">;

/**
 * Closes a partner's day: no further terminal is entered, then the day of each entered terminal is closed, then the file is. May be
 * interrupted: the next caller goes on. Returns when it was closed. Throws `Conflict` if the day changed since it was read.
 */
export async function closePartnerDay(
  deps: CloseDayDeps,
  partnerId: string,
  day: Day,
  { read, at }: { readonly read: StoredPartnerDay | undefined; readonly at: Instant },
): Promise<Instant> {
  const { partnerDays, terminalDays } = deps;
  if (read?.state !== "closing") await partnerDays.close(partnerId, day, { state: "closing", closedAt: at }, read);
  const closing = await partnerDays.find(partnerId, day);
  const closedAt = closing?.closedAt ?? at;
  await eachOf(await partnerDays.terminals(partnerId, day), (terminalId) =>
    retryOnConflict(async () => {
      const key = { terminalId, day };
      const own = await terminalDays.find(key);
      if (own?.closedAt === undefined) await terminalDays.closeBooks(key, closedAt, own);
    }),
  );
  if (closing?.state !== "closed") await partnerDays.close(partnerId, day, { state: "closed", closedAt }, closing);
  return closedAt;
}
