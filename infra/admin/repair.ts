import { parseArgs } from "node:util";
import { odata, type TableClient } from "@azure/data-tables";
import { effectId, effectKinds, type QueueName } from "../../shared/domain/effects.ts";
import type { Announcement } from "../../shared/ports/announcements.ts";
import { commandRecord, type Command as Committed } from "../../shared/ports/commands.ts";
import { toRow } from "../../shared/tables/azure-rows.ts";
import { COMMAND_PREFIX } from "../../shared/tables/keys.ts";
import { fromRow } from "../../shared/tables/record.ts";
import { tableClient } from "../../shared/tables/azure-tables.ts";
import type { Command } from "./command.ts";
import type { Connections } from "./connections.ts";
import { withPlatform } from "./platform.ts";

/** An effect that was committed and is not marked done. */
interface Undelivered {
  readonly queue: QueueName;
  readonly announcement: Announcement;
  readonly due?: string | undefined;
}

/**
 * Finds every effect that was committed and not carried out, deadlines among them, and announces it again: after a purged queue,
 * a new namespace or a failover. Consumers are idempotent, so what is still on its way is at worst done twice to no effect;
 * only a webhook may be told once more, under its old name.
 */
export const repair: Command = {
  name: "repair",
  usage: "[--since <time>] [--dry-run]",
  does: "announces again what was committed and not carried out",
  async run(args, connect) {
    const since = { type: "string" } as const;
    const dryRun = { type: "boolean", default: false } as const;
    const { values } = parseArgs({ args, options: { since, "dry-run": dryRun } });
    if (values.since !== undefined && Number.isNaN(Date.parse(values.since)))
      throw new Error("--since takes a time, such as 2026-11-21T10:00:00Z");
    const connections = await connect();
    await withPlatform(connections, async (platform) => {
      let count = 0;
      for await (const { queue, announcement, due } of allUndelivered(connections, values.since)) {
        count++;
        const { effect, subject, commandId } = announcement;
        console.log(`${effect}  ${JSON.stringify(subject)}  command ${commandId}`);
        if (!values["dry-run"]) await platform.announcements.send(queue, announcement, due);
      }
      const done = values["dry-run"] ? "would be announced again" : "announced again";
      console.log(`${count} effect${count === 1 ? "" : "s"} ${done}.`);
    });
  },
};

async function* allUndelivered({ tables }: Connections, since: string | undefined): AsyncGenerator<Undelivered> {
  for (const table of ["payments", "actionRequests", "landingPages"] as const)
    yield* undelivered(tableClient(tables, table), since);
}

async function* undelivered(table: TableClient, since: string | undefined): AsyncGenerator<Undelivered> {
  const commands = odata`RowKey ge ${COMMAND_PREFIX} and RowKey lt ${`${COMMAND_PREFIX}~`} and state eq 'ready'`;
  const filter = since === undefined ? commands : `${commands} and ${odata`Timestamp ge ${new Date(since)}`}`;
  for await (const entity of table.listEntities({ queryOptions: { filter } })) {
    yield* missing(fromRow(toRow(entity), commandRecord));
  }
}

function missing({ subject, ...command }: Omit<Committed, "etag">): Undelivered[] {
  return command.effects
    .filter((effect) => !command.done.includes(effectId(effect)))
    .map((effect) => ({
      queue: effectKinds[effect.kind].queue,
      announcement: { v: 1, subject, commandId: command.commandId, effect: effectId(effect) },
      due: effect.kind === "deadline" ? effect.due : undefined,
    }));
}
