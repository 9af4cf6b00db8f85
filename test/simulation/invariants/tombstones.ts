import { slotRow, terminalPartition } from "../../../shared/stores/keys.ts";
import type { Platform } from "../platform/platform.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** A message that is marked done has used its slot, or found it used. The slot's tombstone, which is never removed, proves it. */
export async function checkTombstones(
  world: World,
  commands: Session["commands"],
  { stores }: Platform,
): Promise<void> {
  for (const { commandId, state, effects, done } of commands) {
    if (state !== "ready") continue;
    for (const effect of effects) {
      if (effect.kind !== "message") continue;
      const { terminalId, slot, message } = effect.envelope;
      if (!done.includes(effect.kind)) continue;
      const guard = await stores.plain.terminals.get(terminalPartition(terminalId), slotRow(slot));
      if (!guard) world.violate("a message marked done without its tombstone", `${commandId} ${message.type}`);
    }
  }
}
