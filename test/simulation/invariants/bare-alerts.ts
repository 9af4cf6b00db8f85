import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";

/**
 * Alerts that no payment's change raised: each is listed while it is open, was raised as often as it counts, and was told to the log
 * each time; what the queue has taken is kept in the end. Where neither queue nor tables took it there is the line alone. Their kinds are
 * returned.
 */
export async function checkBareAlerts(
  world: World,
  { ports, logged, taken }: Platform,
  ending: Ending,
): Promise<string[]> {
  const kept = (await ports.alerts.all()).filter(({ causes }) => causes.length > 0);
  const open = (await ports.alerts.listOpen()).map(({ kind, about }) => `${kind} ${about}`);
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
  if (ending !== "quiet") return kept.map(({ kind }) => kind);
  for (const { raised } of taken) {
    const isKept = kept.some(
      (alert) => alert.kind === raised.kind && alert.about === raised.about && alert.causes.includes(raised.cause),
    );
    if (!isKept) world.violate("an alert that was not kept", `${raised.kind} ${raised.about} ${raised.cause}`);
  }
  return kept.map(({ kind }) => kind);
}
