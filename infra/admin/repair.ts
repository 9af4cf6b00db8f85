import { parseArgs } from "node:util";
import { odata, TableClient } from "@azure/data-tables";
import { ServiceBusClient } from "@azure/service-bus";
import { effectId } from "../../shared/domain/effects.ts";
import type { Announcement, Announcements, QueueName } from "../../shared/ports/announcements.ts";
import type { Command } from "../../shared/ports/commands.ts";
import { announcementsQueue } from "../../shared/queues/announcements-queue.ts";
import { toRow } from "../../shared/tables/azure-rows.ts";
import { COMMAND_PREFIX } from "../../shared/tables/keys.ts";
import { fromRow } from "../../shared/tables/record.ts";
import { commandRecord } from "../../shared/tables/schemas.ts";
import { tableNames } from "../../shared/tables/table-names.ts";
import { queueOf } from "../../shared/use-cases/protocol/announce-and-commit.ts";
import { readConnections, type Connections } from "./connections.ts";

/** An effect that was committed and is not marked done. */
interface Undelivered {
  readonly queue: QueueName;
  readonly announcement: Announcement;
  readonly due?: string | undefined;
}

/**
 * `repair [--since <time>] [--dry-run]`: finds every effect that was committed and not carried out, deadlines among them, and
 * announces it again: after a purged queue, a new namespace or a failover. Consumers are idempotent, so what is still on its
 * way is at worst done twice to no effect; only a webhook may be told once more, under its old name.
 */
export async function repair(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { since: { type: "string" }, "dry-run": { type: "boolean", default: false } },
  });
  if (values.since !== undefined && Number.isNaN(Date.parse(values.since))) {
    throw new Error("--since takes a time, such as 2026-11-21T10:00:00Z");
  }
  const connections = await readConnections();
  const client = new ServiceBusClient(connections.serviceBus, { retryOptions: { retryDelayInMs: 500 } });
  try {
    const announcements = values["dry-run"] ? undefined : announcementsQueue(client);
    const found = await announceAgain(connections, announcements, values.since);
    console.log(
      `${found} effect${found === 1 ? "" : "s"} ${announcements ? "announced again" : "would be announced again"}.`,
    );
  } finally {
    await client.close();
  }
}

async function announceAgain(
  { tables }: Connections,
  announcements: Announcements | undefined,
  since: string | undefined,
): Promise<number> {
  let count = 0;
  for (const table of [tableNames.payments, tableNames.actionRequests, tableNames.landingPages]) {
    for await (const { queue, announcement, due } of undelivered(tables, table, since)) {
      count++;
      console.log(`${announcement.effect}  ${JSON.stringify(announcement.subject)}  command ${announcement.commandId}`);
      await announcements?.send(queue, announcement, due);
    }
  }
  return count;
}

async function* undelivered(connection: string, table: string, since: string | undefined): AsyncGenerator<Undelivered> {
  const client = TableClient.fromConnectionString(connection, table, {
    allowInsecureConnection: connection.includes("http://"),
  });
  const commands = odata`RowKey ge ${COMMAND_PREFIX} and RowKey lt ${`${COMMAND_PREFIX}~`} and state eq 'ready'`;
  const filter = since === undefined ? commands : `${commands} and ${odata`Timestamp ge ${new Date(since)}`}`;
  for await (const entity of client.listEntities({ queryOptions: { filter } })) {
    yield* missing(fromRow(toRow(entity), commandRecord));
  }
}

function missing({ subject, ...command }: Omit<Command, "etag">): Undelivered[] {
  return command.effects
    .filter((effect) => !command.done.includes(effectId(effect)))
    .map((effect) => ({
      queue: queueOf[effect.kind],
      announcement: { v: 1, subject, commandId: command.commandId, effect: effectId(effect) },
      due: effect.kind === "deadline" ? effect.due : undefined,
    }));
}
