import type { Operation, Row } from "../../../shared/ports/rows.ts";
import { commandRecord, type Command } from "../../../shared/stores/commands.ts";
import { hashOfKey, keyHolderRecord, type KeyHolder } from "../../../shared/stores/idempotency-keys.ts";
import { IDEMPOTENCY_PREFIX, idempotencyRow, sessionsPartition } from "../../../shared/stores/keys.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import { kindOfRow } from "../../../shared/stores/row-kind.ts";
import { DAY, HOUR, msAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Platform } from "./platform.ts";

/** The checks of the `Idempotency-Key`s at every write. */
export interface WatchedKeys {
  /** Notes the keys whose holder a restore lost, and checks those that it has. */
  restored(): Promise<void>;
}

/** A committed request under a key. */
interface Committed {
  readonly commandId: string;
  /** Milliseconds since the world began. */
  readonly at: number;
}

/** A key stays for so long, by any clock. */
export const KEPT = 7 * DAY - 2 * HOUR;

const nameOf = (partition: string, rowKey: string): string => `${partition} ${rowKey}`;
/** The name of a key among those of all partners. */
export const nameOfKey = (partnerId: string, key: string): string =>
  nameOf(sessionsPartition(partnerId), idempotencyRow(hashOfKey(key)));

/** The name of the key of a committed request. Undefined for another command. */
function keyOf({ state, subject, idempotency }: Omit<Command, "etag">): string | undefined {
  if (!idempotency || state !== "ready" || !("partnerId" in subject)) return undefined;
  return nameOf(sessionsPartition(subject.partnerId), idempotencyRow(idempotency.hash));
}

const isCommand = (rowKey: string): boolean => kindOfRow(rowKey).endsWith("command");
const isHolder = (rowKey: string): boolean => rowKey.startsWith(IDEMPOTENCY_PREFIX);
const subjectOf = ({ subject }: KeyHolder): string => JSON.stringify(subject, ["kind", "sessionId", "actionRequestId"]);

/**
 * At every moment a key names its committed request, and one request under a key is committed at most. A key is not taken from a committed
 * request, nor after a restore from any other one, before its time is over.
 */
export function watchKeys(world: World, { stores }: Platform): WatchedKeys {
  const { agenda, faultPlan, lostTime, violate } = world;
  let holders = new Map<string, KeyHolder>();
  const committed = new Map<string, Committed[]>();
  /** The subjects of the holders at the restore. A commit of theirs may be lost. */
  const restored = new Map<string, string>();
  /** The other request that is committed under the key. */
  const rival = (name: string, commandId: string): Committed | undefined =>
    committed.get(name)?.find((one) => one.commandId !== commandId && agenda.now() - one.at < KEPT);

  function commits(name: string, { commandId }: Omit<Command, "etag">): void {
    const other = rival(name, commandId);
    if (other) violate("two requests are committed under one key", `${name}: ${other.commandId} and ${commandId}`);
    const holder = holders.get(name)?.commandId;
    if (holder !== commandId) violate("a request is committed without its key", `${name}: ${holder}, not ${commandId}`);
    committed.set(name, [...(committed.get(name) ?? []), { commandId, at: agenda.now() }]);
  }

  function binds(name: string, holder: KeyHolder): void {
    const before = holders.get(name);
    holders.set(name, holder);
    const other = rival(name, holder.commandId);
    if (other) violate("a key is taken from a committed request", `${name}: ${other.commandId}`);
    const subject = subjectOf(holder);
    const owner = restored.get(name) ?? subject;
    if (owner !== subject) violate("a restored key is given to another session", `${name}: ${subject}, not ${owner}`);
    if (before && subjectOf(before) !== subject) faultPlan.meet("a key is taken from a request without an outcome");
  }

  function unbinds(name: string): void {
    const holder = holders.get(name);
    faultPlan.meet("a key is purged");
    if (holder && agenda.now() - msAt(holder.at) < KEPT) violate("a key is purged before its time", name);
    for (const known of [holders, committed, restored]) known.delete(name);
  }

  stores.watch(({ table, partition, operation }) => {
    const { rowKey } = operation;
    if (table === "sessions" && isHolder(rowKey)) {
      const name = nameOf(partition, rowKey);
      if ("columns" in operation) binds(name, fromRow(rowOf(operation), keyHolderRecord));
      else unbinds(name);
    } else if (operation.kind === "insert" && isCommand(rowKey)) {
      const command = fromRow(rowOf(operation), commandRecord);
      const name = keyOf(command);
      if (name !== undefined) commits(name, command);
    }
  });

  return {
    async restored() {
      const before = holders;
      holders = new Map();
      committed.clear();
      for await (const row of stores.whole().sessions.rowsAfter())
        if (isHolder(row.rowKey)) holders.set(nameOf(row.partitionKey, row.rowKey), fromRow(row, keyHolderRecord));
      for (const [name, holder] of holders) restored.set(name, subjectOf(holder));
      for (const [name, { commandId }] of before)
        if (holders.get(name)?.commandId !== commandId) lostTime.keys.add(name);
      for await (const row of stores.whole().terminals.rowsAfter()) {
        if (!isCommand(row.rowKey)) continue;
        const command = fromRow(row, commandRecord);
        const name = keyOf(command);
        if (name === undefined) continue;
        const { commandId, at } = command;
        committed.set(name, [...(committed.get(name) ?? []), { commandId, at: msAt(at) }]);
        if (holders.get(name)?.commandId !== commandId)
          violate("a restored request lacks its key", `${name}: ${holders.get(name)?.commandId}, not ${commandId}`);
      }
    },
  };
}

const rowOf = ({ rowKey, columns }: Extract<Operation, { readonly columns: Row["columns"] }>): Row => ({
  partitionKey: "",
  rowKey,
  columns,
  etag: "",
});
