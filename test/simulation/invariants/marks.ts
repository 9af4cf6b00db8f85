import { dayOf } from "../../../shared/domain/time.ts";
import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { terminalPartition } from "../../../shared/stores/keys.ts";
import { changedRow } from "../../../shared/stores/subject-rows.ts";
import { overduePayments } from "../../../shared/use-cases/operator/repair/list-payments.ts";
import { checkAllMarks, hasEnded, isDone } from "../platform/marks.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import { instantAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** At the end each payment is marked under every day of its history. The list of overdue payments names each that has not ended. */
export async function checkMarks(
  world: World,
  sessions: readonly Session[],
  platform: Platform,
  ending: Ending,
): Promise<void> {
  await checkAllMarks(world, platform);
  const overdue = await overduePayments(platform.ports, { now: () => instantAt(world.end) });
  for (const { plan, payment, history, commands } of sessions) {
    const partition = terminalPartition(plan.terminalId);
    for (const day of new Set(history.map(({ at }) => dayOf(at)))) {
      const mark = await platform.stores.plain.terminals.get(partition, changedRow(paymentSubjectOf(plan), day));
      if (!mark) world.violate("changed, but not marked under its day", `${plan.sessionId} ${day}`);
    }
    const isOver = !payment || (hasEnded(payment) && commands.every(isDone));
    if (ending === "quiet" && !isOver && !overdue.some((one) => one.payment.sessionId === plan.sessionId))
      world.violate("not ended, but not listed as overdue", plan.sessionId);
  }
}
