import { repair } from "../../../shared/use-cases/repair/repair.ts";
import { aCall } from "../../support/calls.ts";
import type { Http } from "../platform/http.ts";
import type { Platform } from "../platform/platform.ts";
import { FAULTS_END, HOUR, MINUTE } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** Past the day for which an entry of what never came to be is kept. */
const LAST_SWEEP = 30 * HOUR;

/** What the sweeper of a world does. */
export interface Sweeper {
  /** Before quiet he sweeps once more: nothing that is over may be listed as open then. */
  readonly sweepsLast: boolean;
}

/**
 * Runs `repair` at random moments, under the same faults as everything else: beside commits, twice at once, dying midway. In some worlds
 * the queues lose all that is in them; then he announces everything again until it is done.
 */
export function startSweeper(world: World, { bus }: Platform, http: Http): Sweeper {
  const { agenda, quirks, faultPlan } = world;
  const sweep = (all: boolean) =>
    void http({ name: "repair", waits: true }, (deps) =>
      repair({ ...deps }, aCall(deps), { all, dryRun: false }).then((announced) =>
        world.trace?.("repair", `${announced.length} effects announced again`),
      ),
    );
  for (let i = quirks.pick(0, 0, 1, 4); i > 0; i--) {
    const all = quirks.chance(0.3);
    agenda.after(quirks.between(0, quirks.pick(2 * MINUTE, FAULTS_END)), () => sweep(all));
  }
  if (quirks.chance(0.1)) {
    const purgedAt = quirks.between(0, 25 * MINUTE);
    agenda.after(purgedAt, () => {
      faultPlan.meet("queues purged");
      bus.purge();
    });
    agenda.after(purgedAt + quirks.between(0, 10 * MINUTE), () => sweep(true));
    agenda.after(FAULTS_END + MINUTE, () => sweep(true));
  }
  const sweepsLast = quirks.chance(0.5);
  if (sweepsLast) agenda.after(LAST_SWEEP, () => sweep(false));
  return { sweepsLast };
}
