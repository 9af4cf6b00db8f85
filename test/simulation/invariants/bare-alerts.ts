import { isMended } from "../../../shared/domain/mended-alert.ts";
import { alertRow } from "../../../shared/stores/keys.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";

/**
 * Alerts without a change of a payment. Each alert is listed while it is open. Its count is the number of its causes, and each cause has a
 * log line. Every alert that the queue accepted is finally stored. If neither queue nor tables accepted it, there is only the line. Returns
 * the kinds of the alerts.
 */
export async function checkBareAlerts(
  world: World,
  { ports, logged, taken }: Platform,
  ending: Ending,
): Promise<string[]> {
  const kept = (await ports.alerts.all()).filter(({ causes }) => causes.length > 0);
  const open = (await ports.alerts.listOpen()).map(alertRow);
  const lines = logged.filter(({ cause }) => cause !== undefined);
  for (const alert of kept) {
    const { kind, about, status, count, causes, raisedBy } = alert;
    const name = alertRow(alert);
    if ((status === "open") !== open.includes(name)) world.violate("an alert's listing does not match its state", name);
    if (count !== new Set(causes).size + raisedBy.length)
      world.violate("an alert without its cause", `${name}: ${count}`);
    for (const cause of causes) {
      if (!lines.some((line) => line.alert === kind && line.about === about && line.cause === cause))
        world.violate("an alert without its log line", `${name} ${cause}`);
    }
  }
  if (ending !== "quiet") return kept.map(({ kind }) => kind);
  for (const { raised } of taken) {
    const isKept = kept.some(
      (alert) => alert.kind === raised.kind && alert.about === raised.about && alert.causes.includes(raised.cause),
    );
    // The end of a cause is not kept if no operator was called.
    if (!isKept && !isMended(raised.kind, raised.detail))
      world.violate("an alert was not stored", `${raised.kind} ${raised.about} ${raised.cause}`);
  }
  return kept.map(({ kind }) => kind);
}
