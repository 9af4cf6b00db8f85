import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import type { SettlementPage } from "../../../shared/contracts/objects/settlement.ts";
import { closingLook } from "../../../shared/use-cases/bookings/enter-day.ts";
import { readSettlement } from "../../../shared/use-cases/bookings/read-settlement.ts";
import { aCall } from "../../support/calls.ts";
import { PARTNER_DAY_ROW } from "../../../shared/stores/keys.ts";
import type { Http } from "../platform/http.ts";
import { DAY, FAULTS_END, HOUR, instantAt, SECOND } from "../world/time.ts";
import type { Platform } from "../platform/platform.ts";
import type { World } from "../world/world.ts";

/** The file of a partner's day, by partner and day, as it was when it was first read as closed. */
export type ClosedFiles = ReadonlyMap<string, string>;

/** The probability that days are closed while their money still moves. */
const EARLY = 0.3;
/** How far the clock of such a look is ahead. */
const DAYS_AHEAD = 5;

const DAYS = ["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"] as const;

/**
 * Reads the partners' settlements at random times, and stores each closed file. In some worlds a look whose clock is days ahead closes
 * today's file, while a terminal is entered in it.
 */
export function startAccountants(
  world: World,
  { stores }: Platform,
  http: Http,
  partnerIds: readonly string[],
): Map<string, string> {
  const { agenda, lostTime, faultPlan } = world;
  const fate = world.fateOf("accountant");
  const closed = new Map<string, string>();

  /** The pages of a settlement. Undefined if one of them was not answered. */
  async function pagesOf(partnerId: string, date: string, limit: number | undefined) {
    const caller = { partnerId, keyId: "accountant" };
    const pages: SettlementPage[] = [];
    for (let after: string | undefined; ;) {
      const answer = await http({ name: `accountant reads ${date}` }, (deps) =>
        readSettlement(deps, { ...aCall(deps), caller }, { date }, { after, limit }),
      );
      if (answer.kind !== "answered" || !answer.value.ok) return undefined;
      pages.push(answer.value.value);
      after = answer.value.value.next;
      if (after === undefined) return pages;
    }
  }

  async function read(partnerId: string, date: string): Promise<void> {
    const { restoredAt } = lostTime;
    const pages = await pagesOf(partnerId, date, fate.pick(undefined, 1, 2, 5));
    // A restore loses everything since the export, even for a file that was closed meanwhile.
    if (restoredAt !== lostTime.restoredAt) return closed.clear();
    if (!pages?.every(({ isClosed }) => isClosed)) return;
    if (pages.length > 1) faultPlan.meet("a closed settlement read by pages");
    const file = pages.map(toSettlementFile).join("");
    const name = `${partnerId}~${date}`;
    const before = closed.get(name);
    if (before !== undefined && before !== file) world.violate("a closed settlement changed", name);
    closed.set(name, before ?? file);
  }

  /** A host whose clock is ahead looks at the day. */
  const closeEarly = (partnerId: string, day: string): Promise<unknown> =>
    http({ name: `a look at ${day} that comes too early` }, ({ announcements }) =>
      announcements.send("deadlines", closingLook({ partnerId, day }, instantAt(agenda.now() + DAYS_AHEAD * DAY))),
    );

  for (const partnerId of partnerIds) {
    for (let i = fate.between(0, 4); i > 0; i--) {
      const at = fate.between(0, fate.pick(FAULTS_END, 40 * HOUR));
      agenda.after(at, () => void read(partnerId, fate.pick(...DAYS)));
    }
  }

  const early = world.fateOf("early accountant");
  let left = early.chance(EARLY) ? early.between(1, 6) : 0;
  let isReading = false; // its own reads cause no others
  stores.watchReads(({ table, partition, rowKey }) => {
    if (left === 0 || isReading || table !== "days" || rowKey !== PARTNER_DAY_ROW || !early.chance(0.5)) return;
    const [partnerId = "", date = ""] = partition.split("~");
    left--;
    isReading = true;
    faultPlan.meet("a day is closed early");
    const soon = early.between(0, early.pick(10, 100, SECOND));
    agenda.after(soon, () => void closeEarly(partnerId, date).finally(() => (isReading = false)));
  });
  return closed;
}
