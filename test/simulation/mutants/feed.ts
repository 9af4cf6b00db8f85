import { useCases, type Mutant } from "./mutant.ts";

/** Rules of partners' feeds: every event is there once, in the order of its subject's changes, and is read without a gap. */
export const feedMutants: readonly Mutant[] = [
  // Entering events
  {
    name: "enters events that the feed has",
    file: `${useCases}/feed/events-due.ts`,
    find: "    sequence > (mark?.sequence ?? 0) &&\n",
    replace: "",
  },
  {
    name: "enters an event without the earlier ones",
    file: `${useCases}/feed/events-due.ts`,
    find: "sequence <= command.sequence &&",
    replace: "sequence === command.sequence &&",
  },
  {
    name: "enters a subject's latest event first",
    file: `${useCases}/feed/events-due.ts`,
    find: "one.sequence - other.sequence",
    replace: "other.sequence - one.sequence",
  },
  {
    name: "enters nothing earlier of a subject without a mark",
    file: `${useCases}/feed/events-due.ts`,
    find: "(since === undefined || at >= since || sequence === command.sequence)",
    replace: "(since === undefined || sequence === command.sequence)",
  },
  {
    name: "takes each command for the one that follows its subject's mark",
    file: `${useCases}/feed/enter-group.ts`,
    find: "mark !== undefined && mark.sequence === command.sequence - 1",
    replace: "mark !== undefined && mark.sequence < command.sequence",
  },
  {
    name: "enters events up to the oldest of a subject's commands that wait",
    file: `${useCases}/feed/enter-group.ts`,
    find: "(other.command.sequence > one.command.sequence ? other : one)",
    replace: "(other.command.sequence < one.command.sequence ? other : one)",
  },
  {
    name: "enters one event of each change",
    file: `${useCases}/feed/events-due.ts`,
    find: "bodies: due.effects.filter(isWebhook).map(",
    replace: "bodies: due.effects.filter(isWebhook).slice(0, 1).map(",
  },
  {
    name: "enters events with the time of their entry",
    file: `${useCases}/feed/events-due.ts`,
    find: "eventBody(due, effect)",
    replace: "eventBody({ ...due, at: now }, effect)",
  },

  // The group
  {
    name: "writes a group without its mark",
    file: "shared/stores/feeds.ts",
    find: "        written(feedMarkRow(subject), { sequence, number }, mark),\n",
    replace: "",
  },
  {
    name: "moves a mark that another process has moved",
    file: "shared/stores/feeds.ts",
    find: "written(feedMarkRow(subject), { sequence, number }, mark),",
    replace: `{
          kind: "overwrite" as const,
          rowKey: feedMarkRow(subject),
          columns: toColumns({ sequence, number }),
        },`,
  },
  {
    name: "writes the head after its group",
    file: "shared/stores/feeds.ts",
    find: "      await rows.submit(feedPartition(partnerId), [headOperation({ first, last: number, gaps }, head), ...operations]);\n",
    replace: `      await rows.submit(feedPartition(partnerId), operations);
      await rows.submit(feedPartition(partnerId), [headOperation({ first, last: number, gaps }, head)]);
`,
  },
  {
    name: "writes a group over that of another process",
    file: "shared/stores/feeds.ts",
    find: "[headOperation({ first, last: number, gaps }, head), ...operations]",
    replace: `[headOperation({ first, last: number, gaps }, head), ...operations].map((operation) =>
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
    file: `${useCases}/feed/enter-group.ts`,
    find: "if (!(error instanceof Conflict)) throw error;",
    replace: "if (!(error instanceof Conflict)) throw error;\n      if (tries > 0) return [];",
  },
  {
    name: "takes a failed group for written",
    file: `${useCases}/feed/feed-writer.ts`,
    find: "for (const entry of entries) entry.reject(error);",
    replace: "for (const entry of entries) entry.resolve();",
  },
  {
    name: "takes what waits behind a failed group for written",
    file: `${useCases}/feed/feed-writer.ts`,
    find: "for (const entry of entries) entry.reject(error);",
    replace: `for (const entry of [...entries, ...line.splice(0)])
          if (entries.includes(entry)) entry.reject(error);
          else entry.resolve();`,
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
    find: "return [...found.map(({ row }) => row), ...marks.filter((mark) => mark !== undefined)];",
    replace: "return found.map(({ row }) => row);",
  },
  {
    name: "shows a key the events of terminals that it does not reach",
    file: "shared/contracts/events/event-page.ts",
    find: ".filter(({ data }) => reaches(canonical(data.pointOfServiceID)))",
    replace: ".filter(({ data }) => reaches(canonical(data.pointOfServiceID)) || data.pointOfServiceID.length > 0)",
  },
];
