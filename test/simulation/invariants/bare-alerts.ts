import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";

/**
 * Alerts that no payment's change raised: each is listed while it is open, was raised as often as it counts, and was told to the log
 * each time; what was told of tables that were away has its alert in the end. Their kinds are returned.
 */
export async function checkBareAlerts(world: World, { ports, logged }: Platform, ending: Ending): Promise<string[]> {
  const kept = (await ports.alerts.all()).filter(({ causes }) => causes.length > 0);
  const open = (await ports.alerts.open()).map(({ kind, about }) => `${kind} ${about}`);
  const lines = logged.filter(({ cause }) => cause !== undefined);
  for (const { kind, about, status, count, causes, raisedBy } of kept) {
    const name = `${kind} ${about}`;
    if ((status === "open") !== open.includes(name)) world.violate("an alert that is not listed", name);
    if (count !== new Set(causes).size + raisedBy.length)
      world.violate("an alert of what was not raised", `${name}: ${count}`);
    for (const cause of causes) {
      if (!lines.some((line) => line.alert === kind && line.about === about && line.cause === cause))
        world.violate("an alert without its line", `${name} ${cause}`);
    }
  }
  const tables = lines.filter(({ alert, about }) => alert === "dependencyAway" && about === "tables");
  if (ending === "quiet" && tables.length > 0 && !kept.some(({ about }) => about === "tables"))
    world.violate("an alert that was not kept", "dependencyAway tables");
  return kept.map(({ kind }) => kind);
}
