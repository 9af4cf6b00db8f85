import { inboxRecord } from "../../../shared/domain/terminal-inbox.ts";
import { filedRow, HOLD_SUFFIX, INBOX_PREFIX, terminalPartition } from "../../../shared/stores/keys.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import type { Platform } from "../platform/platform.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** When each message was first fetched, by its identifier. Milliseconds since the world began. */
export type Fetches = ReadonlyMap<string, number>;

/** Collects the messages that terminals have fetched. */
export function watchFetches({ agenda }: World, { stores }: Platform): Fetches {
  const fetched = new Map<string, number>();
  stores.watch(({ table, partition: partitionKey, operation }) => {
    const { rowKey } = operation;
    if (table !== "terminals" || !rowKey.startsWith(INBOX_PREFIX) || rowKey.endsWith(HOLD_SUFFIX)) return;
    if (!("columns" in operation)) return;
    const { state, messageId } = fromRow({ partitionKey, rowKey, columns: operation.columns, etag: "" }, inboxRecord);
    if (state === "fetched" && !fetched.has(messageId)) fetched.set(messageId, agenda.now());
  });
  return fetched;
}

/** A message that the platform holds for withdrawn was never fetched. */
export function checkWithdrawn(world: World, { plan, payment, history }: Session, fetched: Fetches): void {
  if (!payment || world.lostTime.behind.has(plan.sessionId)) return;
  const isWithdrawn = history.some(
    ({ event, from }) => from === "pending" && (event === "withdrawnByCancel" || event === "withdrawnByDeadline"),
  );
  if (isWithdrawn && fetched.has(payment.requestedBy))
    world.violate("a withdrawn payment was handed out", plan.sessionId);
}

/** A response to an action request that is marked done was filed. Its tombstone, which stays, proves it. */
export async function checkFiled(world: World, commands: Session["commands"], { stores }: Platform): Promise<void> {
  for (const { commandId, subject, effects, done } of commands) {
    if (subject.kind === "payment") continue;
    for (const effect of effects) {
      if (effect.kind !== "message" || !done.includes(effect.kind)) continue;
      const { terminalId, slot, message } = effect.envelope;
      const tombstone = await stores.plain.terminals.get(terminalPartition(terminalId), filedRow(slot));
      if (!tombstone) world.violate("a message marked done without its tombstone", `${commandId} ${message.type}`);
    }
  }
}
