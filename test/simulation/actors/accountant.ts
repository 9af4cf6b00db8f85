import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import { readSettlement } from "../../../shared/use-cases/bookings/read-settlement.ts";
import { aCall } from "../../support/calls.ts";
import type { Http } from "../platform/http.ts";
import { FAULTS_END, HOUR } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** The file of a partner's day, by partner and day, as it was when it was first read as closed. */
export type ClosedFiles = ReadonlyMap<string, string>;

const DAYS = ["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"] as const;

/** Reads the partners' settlements at random times, and stores each closed file. */
export function startAccountants(world: World, http: Http, partnerIds: readonly string[]): ClosedFiles {
  const { agenda, lostTime } = world;
  const fate = world.fateOf("accountant");
  const closed = new Map<string, string>();

  async function read(partnerId: string, date: string): Promise<void> {
    const { restoredAt } = lostTime;
    const caller = { partnerId, keyId: "accountant" };
    const answer = await http({ name: `accountant reads ${date}` }, (deps) =>
      readSettlement(deps, { ...aCall(deps), caller }, date),
    );
    // A restore loses everything since the export, even for a file that was closed meanwhile.
    if (restoredAt !== lostTime.restoredAt) return closed.clear();
    if (answer.kind !== "answered" || !answer.value.isClosed) return;
    const file = toSettlementFile(answer.value);
    const name = `${partnerId}~${date}`;
    const before = closed.get(name);
    if (before !== undefined && before !== file) world.violate("a closed settlement changed", name);
    closed.set(name, before ?? file);
  }

  for (const partnerId of partnerIds) {
    for (let i = fate.between(0, 4); i > 0; i--) {
      const at = fate.between(0, fate.pick(FAULTS_END, 40 * HOUR));
      agenda.after(at, () => void read(partnerId, fate.pick(...DAYS)));
    }
  }
  return closed;
}
