import type { TerminalDevice } from "../actors/terminal.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** A payment that is under way when its terminal starts anew is queried, or put in doubt: its history tells of the start. */
export function checkStarts(world: World, { plan, history }: Session, device: TerminalDevice | undefined): void {
  for (const { reportId, sessionId } of device?.starts ?? []) {
    if (sessionId === plan.sessionId && !history.some((h) => h.reportId === reportId))
      world.violate("a start after which nobody asks", `${sessionId} ${reportId}`);
  }
}
