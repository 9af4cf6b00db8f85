import { repair } from "../../../shared/use-cases/operator/repair/repair.ts";
import { aCall } from "../../support/calls.ts";
import type { Http } from "../platform/http.ts";
import type { Platform } from "../platform/platform.ts";
import { FAULTS_END, HOUR, MINUTE } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** How long before the end the last repair runs. It is more than a day after the faults. */
const LAST_SWEEP = 60 * HOUR;

/**
 * Runs `repair` at random times, under the same faults as everything else: during commits, twice at once, failing halfway. In some worlds
 * the queues lose all messages. Then repair announces everything again until it is done.
 */
export function startSweeper(world: World, { bus }: Platform, http: Http): void {
  const { agenda, quirks, faultPlan } = world;
  const sweep = (all: boolean) =>
    void http({ name: "repair", waits: true }, (deps) =>
      repair({ ...deps }, aCall(deps), { all, dryRun: false }).then(({ announced }) =>
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
  if (quirks.chance(0.5)) agenda.after(world.end - LAST_SWEEP, () => sweep(false));
}
