import type { QueueName } from "../../shared/ports/queues.ts";
import type { QueuePorts } from "../../shared/adapters/queues/queue-ports.ts";
import { kindOfRow } from "../../shared/stores/row-kind.ts";
import type { Rows } from "../../shared/ports/rows.ts";
import type { Table } from "../../shared/stores/stores.ts";
import type { CollectedLog, LoggedLine } from "../support/collected-log.ts";

/** One call of a table. A page of a query counts as the query. */
export interface TableCall {
  readonly table: Table;
  /** A group is several operations in one call; `write` is a single operation. */
  readonly method: "get" | "query" | "group" | "write" | "remove";
  /**
   * The kinds of the rows concerned: the part of a row's key before the first `~`. If the key names a kind within a kind, the first two
   * parts.
   */
  readonly keys: string;
  /** Whether the call found, or wrote, its row. */
  readonly result: "ok" | "none" | "refused";
}

/** The network between a process and its tables. `begin` is called when a call begins, and the call ends after `back`. */
export interface Network<Begun> {
  readonly begin: () => Begun;
  readonly back: () => Promise<void>;
}

/** Counts the round trips of a network on which every call takes equally long. Concurrent calls return together. */
export function roundTrips() {
  let count = 0;
  let away: (() => void)[] = [];
  return {
    /** The number of consecutive round trips so far. */
    count: () => count,
    back: () =>
      new Promise<void>((resolve) => {
        away.push(resolve);
        if (away.length > 1) return;
        // By then every step that waits for no call has begun.
        setImmediate(() => {
          count++;
          const come = away;
          away = [];
          for (const back of come) back();
        });
      }),
  };
}

const nowhere: Network<undefined> = { begin: () => undefined, back: async () => {} };

/** Wraps rows. Each call is passed to `called` after its end, even if it failed. */
export function countingRows(table: Table, rows: Rows, called: (call: TableCall) => void): Rows {
  return countingRowsBehind(nowhere, table, rows, called);
}

/** Wraps rows behind a network. Each call is passed to `called` with the value that `begin` returned. */
export function countingRowsBehind<Begun>(
  network: Network<Begun>,
  table: Table,
  rows: Rows,
  called: (call: TableCall, begun: Begun) => void,
): Rows {
  async function counted<T>(
    call: Pick<TableCall, "method" | "keys">,
    work: () => Promise<T>,
    isNone: (found: T) => boolean = () => false,
  ): Promise<T> {
    const begun = network.begin();
    await network.back();
    try {
      const found = await work();
      called({ table, ...call, result: isNone(found) ? "none" : "ok" }, begun);
      return found;
    } catch (error) {
      called({ table, ...call, result: "refused" }, begun);
      throw error;
    }
  }
  return {
    get: (partitionKey, rowKey) =>
      counted(
        { method: "get", keys: kindOfRow(rowKey) },
        () => rows.get(partitionKey, rowKey),
        (found) => found === undefined,
      ),
    withPrefix: (partitionKey, prefix, atMost) =>
      counted(
        { method: "query", keys: `${kindOfRow(prefix)}…` },
        () => rows.withPrefix(partitionKey, prefix, atMost),
        (found) => found.length === 0,
      ),
    after: (partitionKey, position, atMost) =>
      counted(
        { method: "query", keys: `${kindOfRow(position.prefix)}…` },
        () => rows.after(partitionKey, position, atMost),
        (found) => found.length === 0,
      ),
    submit: (partitionKey, operations) =>
      counted(
        {
          method: operations.length === 1 ? "write" : "group",
          keys: operations.map(({ kind, rowKey }) => `${kind} ${kindOfRow(rowKey)}`).join(", "),
        },
        () => rows.submit(partitionKey, operations),
      ),
    remove: (partitionKey, rowKey, etag) =>
      counted({ method: "remove", keys: kindOfRow(rowKey) }, () => rows.remove(partitionKey, rowKey, etag)),
  };
}

/** Wraps queue ports behind a network. Each send is passed to `sent`, by the effect that it announces. */
export const countingQueues = <Ports extends QueuePorts>(
  ports: Ports,
  back: () => Promise<void>,
  sent: (queue: QueueName, what: string) => void,
): QueuePorts => ({
  announcements: {
    async send(queue, announcement, at) {
      sent(queue, announcement.effect);
      await back();
      return ports.announcements.send(queue, announcement, at);
    },
  },
  bareAlerts: {
    async send(alert, at) {
      sent("operator-alerts", "bare alert");
      await back();
      return ports.bareAlerts.send(alert, at);
    },
  },
  rawMessages: {
    async send(queue, message, at) {
      sent(queue, "raw message");
      await back();
      return ports.rawMessages.send(queue, message, at);
    },
  },
});

/** A log that tells each line that it has written. */
export const countingLog = (log: CollectedLog, told: (line: LoggedLine) => void): CollectedLog => ({
  ...log,
  write(event, line) {
    const before = log.lines.length;
    log.write(event, line);
    log.lines.slice(before).forEach(told);
  },
});
