import { effectId, isImpliedBySubject } from "../../../shared/domain/effects.ts";
import { isFinal, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import { dayOf } from "../../../shared/domain/time.ts";
import { openEntryRecord } from "../../../shared/stores/listings.ts";
import { commandRecord, type Command } from "../../../shared/stores/commands.ts";
import type { Subject } from "../../../shared/ports/subjects.ts";
import { COMMAND_PREFIX } from "../../../shared/stores/keys.ts";
import { OPEN_LIST_PREFIX } from "../../../shared/stores/subject-rows.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import type { Operation } from "../../../shared/ports/rows.ts";
import { overduePayments } from "../../../shared/use-cases/operator/repair/list-payments.ts";
import type { Sweeper } from "../actors/sweeper.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import { instantAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** Whether nothing is left to do for an ended subject. A payment's messages and looks are not marked as done. */
const isDone = ({ subject, state, effects, done }: Omit<Command, "etag">): boolean =>
  state === "aborted" ||
  effects.every((effect) => isImpliedBySubject(effect, subject) || done.includes(effectId(effect)));

const hasEnded = ({ status, refunds, charges }: Payment): boolean =>
  isFinal(status) && !refunds.some((r) => r.status === "pending") && !charges.some((c) => c.status === "reversing");

/** Whether the payment in the tables still has an effect to carry out. */
async function isUndone({ ports }: Platform, subject: Subject): Promise<boolean> {
  const commands = await ports.commands.ofSubject(subject);
  const payment = subject.kind === "payment" ? (await ports.payments.find(subject))?.payment : undefined;
  return !commands.every(isDone) || (payment !== undefined && !hasEnded(payment));
}

/** At every moment a committed subject is listed as open. A subject that is removed from the list has no effect to carry out. */
export function watchListings(world: World, platform: Platform): void {
  const { ports, stores } = platform;
  const subjects = new Map<string, Subject>();

  async function checkCommit(partitionKey: string, operation: Operation): Promise<void> {
    if (operation.kind !== "insert" || !operation.rowKey.startsWith(COMMAND_PREFIX)) return;
    const { rowKey, columns } = operation;
    const { subject, state, commandId } = fromRow({ partitionKey, rowKey, columns, etag: "" }, commandRecord);
    if (state === "ready" && !(await ports.listings.findOpen(subject)))
      world.violate("committed, but not listed as open", commandId);
  }

  stores.watch(async ({ table, partition, operation }) => {
    if (table !== "listings") return checkCommit(partition, operation);
    const { rowKey } = operation;
    if (!rowKey.startsWith(OPEN_LIST_PREFIX)) return undefined;
    if ("columns" in operation) {
      const entry = fromRow({ partitionKey: partition, rowKey, columns: operation.columns, etag: "" }, openEntryRecord);
      subjects.set(rowKey, entry.subject);
      return undefined;
    }
    const subject = subjects.get(rowKey);
    if (subject && (await isUndone(platform, subject)))
      world.violate("removed from the open list with an effect to carry out", rowKey);
  });
}

/**
 * At the end the list of open subjects has exactly those with an effect to carry out. Only repair removes an entry that a crash left, or a
 * request that another was faster than. Without repair, the payments after the faults are removed automatically. The list of overdue
 * payments names each session that has not ended.
 */
export async function checkListings(
  world: World,
  sessions: readonly Session[],
  platform: Platform,
  { ending, sweeper }: { readonly ending: Ending; readonly sweeper: Sweeper },
): Promise<void> {
  const open = await platform.ports.listings.listOpen();
  const overdue = await overduePayments(platform.ports, { now: () => instantAt(world.end) });
  const isOpen = ({ plan }: Session) =>
    open.some(({ subject }) => subject.kind === "payment" && subject.sessionId === plan.sessionId);
  for (const session of sessions) {
    const { plan, payment, history } = session;
    for (const { at } of history) await checkDay(world, platform, plan, dayOf(at));
    const isOver = !payment || (hasEnded(payment) && session.commands.every(isDone));
    if (!isOver && !isOpen(session)) world.violate("not ended, but not listed as open", plan.sessionId);
    if (ending === "quiet" && !isOver && !overdue.some((one) => one.payment.sessionId === plan.sessionId))
      world.violate("not ended, but not listed as overdue", plan.sessionId);
    if (ending === "quiet" && isOver && isOpen(session) && ((plan.isCalm && payment) || sweeper.sweepsLast))
      world.violate("ended, but still listed as open", plan.sessionId);
  }
}

async function checkDay(world: World, { ports }: Platform, of: Session["plan"], day: string): Promise<void> {
  const listed = await ports.listings.ofDay(day, "payment");
  if (!listed.some((s) => s.kind === "payment" && s.partnerId === of.partnerId && s.sessionId === of.sessionId))
    world.violate("committed, but not listed by its day", `${of.sessionId} ${day}`);
}
