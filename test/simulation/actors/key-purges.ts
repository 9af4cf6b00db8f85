import { purge } from "../../../shared/use-cases/operator/retention/purge.ts";
import { aCall } from "../../support/calls.ts";
import type { Http } from "../platform/http.ts";
import { DAY, FAULTS_END, USUAL_LENGTH } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Keys } from "./keys.ts";

/** In a long world the keys of more than seven days ago are purged, most of the days. */
export function startKeyPurges({ agenda, end, trace }: World, http: Http, { fate }: Keys): void {
  if (end <= USUAL_LENGTH) return;
  for (let at = FAULTS_END; at < end - USUAL_LENGTH; at += fate.between(DAY / 2, 3 * DAY))
    agenda.after(at, () => {
      void http({ name: "purge of keys", waits: true }, async (deps) => {
        const { removed } = await purge(deps, aCall(deps), { kind: "idempotencyKeys", days: 7 });
        trace?.("purge of keys", `${removed} removed`);
      });
    });
}
