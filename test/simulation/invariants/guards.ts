import { filedRow, terminalPartition } from "../../../shared/tables/keys.ts";
import type { Platform } from "../platform/platform.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./look.ts";

/** A message that is marked done took its place in the inbox, or found it taken: the guard row, which nothing removes, says so. */
export async function checkGuards(world: World, commands: Session["commands"], { stores }: Platform): Promise<void> {
  for (const { commandId, state, effects, done } of commands) {
    if (state !== "ready") continue;
    for (const effect of effects) {
      if (effect.kind !== "message") continue;
      const { terminalId, place, message } = effect.mailing;
      if (!done.includes(effect.kind)) continue;
      const guard = await stores.plain.terminals.get(terminalPartition(terminalId), filedRow(place));
      if (!guard) world.violate("a message marked done that was not filed", `${commandId} ${message.type}`);
    }
  }
}
