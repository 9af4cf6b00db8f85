import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of partners' feeds: every event is there once, in the order of its subject's changes, and is read without a gap. */
export const feedMutants: readonly Mutant[] = [
  // Entering events
  {
    name: "enters an event without the earlier ones",
    file: `${useCases}/feed/events-due.ts`,
    find: "other.sequence < command.sequence &&",
    replace: "other.sequence < 0 &&",
  },
  {
    name: "enters a subject's latest event first",
    file: `${useCases}/feed/events-due.ts`,
    find: "one.sequence - other.sequence",
    replace: "other.sequence - one.sequence",
  },
  {
    name: "enters the events of one of a subject's commands that wait",
    file: `${useCases}/feed/enter-events.ts`,
    find: "const due = same.flatMap(",
    replace: "const due = same.slice(0, 1).flatMap(",
  },
  {
    name: "takes what follows a marked command for entered",
    file: `${useCases}/feed/enter-events.ts`,
    find: "return commands.slice(i + 1);",
    replace: "return commands.slice(commands.length - i * 0);",
  },
  {
    name: "takes an earlier command that is not done for entered",
    file: `${useCases}/feed/events-due.ts`,
    find: "    !areEntered(other);",
    replace: "    areEntered(other);",
  },
  {
    name: "enters one event of each change",
    file: `${useCases}/feed/events-due.ts`,
    find: "eventsOf(command).map((effect)",
    replace: "eventsOf(command).slice(0, 1).map((effect)",
  },
  {
    name: "enters events with another time",
    file: `${useCases}/feed/events-due.ts`,
    find: "eventBody(command, effect)",
    replace: 'eventBody({ ...command, at: "2026-01-01T00:00:00.000Z" }, effect)',
  },

  // The group
  {
    name: "writes a group without its mark",
    file: "shared/stores/feeds.ts",
    find: '        { kind: "insert", rowKey: feedMarkRow(commandId), columns: feedMarkColumns },\n',
    replace: "",
  },
  {
    name: "writes a mark that another process has written",
    file: "shared/stores/feeds.ts",
    find: '{ kind: "insert", rowKey: feedMarkRow(commandId)',
    replace: '{ kind: "overwrite", rowKey: feedMarkRow(commandId)',
  },
  {
    name: "writes the head after its group",
    file: "shared/stores/feeds.ts",
    find: "[headOperation(head, read), ...operations]);",
    replace: `operations).then(() =>
        rows.submit(feedPartition(partnerId), [headOperation(head, read)]),
      );`,
  },
  {
    name: "writes a group over that of another process",
    file: "shared/stores/feeds.ts",
    find: "[headOperation(head, read), ...operations]",
    replace: `[headOperation(head, read), ...operations].map((operation) =>
        "columns" in operation
          ? { kind: "overwrite" as const, rowKey: operation.rowKey, columns: operation.columns }
          : operation,
      )`,
  },
  {
    name: "keeps one feed for all partners",
    file: "shared/stores/keys.ts",
    find: "export const feedPartition = (partnerId: string): string => part(partnerId);",
    replace: 'export const feedPartition = (partnerId: string): string => part("all");',
  },
  {
    name: "takes another writer's group for its own",
    file: `${useCases}/feed/enter-events.ts`,
    find: "if (!(error instanceof Conflict)) throw error;",
    replace: "if (!(error instanceof Conflict)) throw error;\n      if (tries > 0) return;",
  },
  {
    name: "takes a failed group for written",
    file: `${useCases}/feed/feed-writer.ts`,
    find: "for (const { reject } of some) reject(error);",
    replace: "for (const { resolve } of some) resolve();",
  },
  {
    name: "takes what waits behind a failed group for written",
    file: `${useCases}/feed/feed-writer.ts`,
    find: "for (const { reject } of some) reject(error);",
    replace: `for (const waiting of [...some, ...line.splice(0)])
          if (some.includes(waiting)) waiting.reject(error);
          else waiting.resolve();`,
  },
  {
    name: "lets events wait in a line that no writer serves",
    file: `${useCases}/feed/feed-writer.ts`,
    find: "    lines.delete(partnerId);\n",
    replace: "",
  },

  // The webhook's worker
  {
    name: "ends a webhook whose event could not be entered",
    file: `${useCases}/webhooks/deliver-webhook.ts`,
    find: '  if (entered.status === "rejected") throw entered.reason;\n',
    replace: "",
  },
  {
    name: "ends a webhook while its event is being entered",
    file: `${useCases}/webhooks/deliver-webhook.ts`,
    find: "Promise.allSettled([attemptDelivery(deps, call, work), enterFeed(deps, work)]);",
    replace:
      "Promise.allSettled([attemptDelivery(deps, call, work), void Promise.allSettled([enterFeed(deps, work)])]);",
  },
  {
    name: "enters an event once its webhook is taken",
    file: `${useCases}/webhooks/deliver-webhook.ts`,
    find: "  const [delivered, entered] = await Promise.allSettled([attemptDelivery(deps, call, work), enterFeed(deps, work)]);\n",
    replace: `  const [delivered] = await Promise.allSettled([attemptDelivery(deps, call, work)]);
  const isOver = delivered.status === "fulfilled" && typeof delivered.value === "object" && "done" in delivered.value;
  const [entered] = await Promise.allSettled([isOver ? enterFeed(deps, work) : undefined]);
`,
  },
  {
    name: "enters no event of a partner without an address",
    file: `${useCases}/webhooks/deliver-webhook.ts`,
    find: "  const [delivered, entered] = await Promise.allSettled([attemptDelivery(deps, call, work), enterFeed(deps, work)]);\n",
    replace: `  const isSent = urlOf(work.command, await partnerOf(deps, work)) !== undefined;
  const entering = isSent ? enterFeed(deps, work) : undefined;
  const [delivered, entered] = await Promise.allSettled([attemptDelivery(deps, call, work), entering]);
`,
  },

  // The partner's own changes
  {
    name: "leaves the partner's own changes of a status out of its feed",
    file: `${domain}/life/advance.ts`,
    find: "isChanged(before, next) ? [",
    replace: 'isChanged(before, next) && by !== "partner" ? [',
  },
  {
    name: "delivers the partner's own changes as webhooks",
    file: "functions/workers/webhook-deliveries.ts",
    find: "enterOwnChange(deps, work)",
    replace: 'deliverWebhook(deps, work.call, { ...work, effect: { ...work.effect, kind: "webhook" } })',
  },

  // Readers
  {
    name: "sends a reader on past an event",
    file: `${useCases}/feed/read-feed.ts`,
    find: "next: last.number }",
    replace: "next: last.number + 1 }",
  },
  {
    name: "reads past a hole in the numbers",
    file: `${useCases}/feed/read-feed.ts`,
    find: "found.filter((event, i) => event.number === number + 1 + i)",
    replace: "found.filter((event) => event.number > number)",
  },
  {
    name: "leaves readers before the numbers that a restored feed leaves out",
    file: `${useCases}/feed/read-feed.ts`,
    find: "return gaps.find(({ after, to }) => after <= number && number < to)?.to ?? number;",
    replace: "return number + gaps.length * 0;",
  },
  {
    name: "gives the numbers of a restored feed again",
    file: "infra/operator/backup/restored-feeds.ts",
    find: "const last = Math.max(exported.last + LOST_NUMBERS, Date.parse(now));",
    replace: "const { last } = exported;",
  },
  {
    name: "restores a feed without its marks",
    file: "infra/operator/backup/restored-feeds.ts",
    find: "return [...found.map(({ row }) => row), ...marks];",
    replace: "return found.map(({ row }) => row);",
  },
  {
    name: "shows a key the events of terminals that it does not reach",
    file: "shared/contracts/events/event-page.ts",
    find: "reaches(data.pointOfServiceID && canonical(data.pointOfServiceID))",
    replace: "reaches(data.pointOfServiceID && canonical(data.pointOfServiceID)) || Boolean(data.pointOfServiceID)",
  },
];
