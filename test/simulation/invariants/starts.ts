import type { TerminalDevice } from "../actors/terminal.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** If a payment is under way at its terminal's start, it is queried or put in doubt, and its history records the start. */
export function checkStarts(world: World, { plan, history }: Session, device: TerminalDevice | undefined): void {
  for (const { reportId, sessionId } of device?.starts ?? []) {
    if (world.lostTime.behind.has(sessionId)) continue; // the report of the start may be lost
    if (sessionId === plan.sessionId && !history.some((h) => h.reportId === reportId))
      world.violate("a terminal's start is missing from the history", `${sessionId} ${reportId}`);
  }
}
