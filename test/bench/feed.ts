import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sampleEvents } from "../../infra/documents/openapi/samples/sample-events.ts";
import { after } from "../../shared/domain/time.ts";
import { type Command, committedCommand } from "../../shared/stores/commands.ts";
import { type ChangeEvents, type Feeds, feedsTable } from "../../shared/stores/feeds.ts";
import type { PartnerSubject } from "../../shared/ports/subjects.ts";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import { terminalPartition } from "../../shared/stores/keys.ts";
import type { Tables } from "../../shared/stores/stores.ts";
import { feedWriter, type FeedWriter } from "../../shared/use-cases/feed/feed-writer.ts";
import { readFeed } from "../../shared/use-cases/feed/read-feed.ts";
import { newestPolls } from "../../shared/use-cases/bells/newest-polls.ts";
import { makeMonth } from "../support/a-month.ts";
import { partnerId, terminalId } from "../support/platform.ts";
import { onTables } from "./bench-tables.ts";
import { defineBench, whole, type Progress } from "./bench.ts";
import { countingRows } from "./counting-ports.ts";
import { percentile, round } from "./statistics.ts";

const clock = { now: () => new Date().toISOString(), sleep: (ms: number) => sleep(ms) };
const PAGE_EVENTS = 100;
const CHANGES_OF_GROUP = 32;

interface Followed {
  readonly events: number;
  readonly pages: number;
  readonly callsOfPage: number;
  readonly p50: number;
  readonly p95: number;
  readonly most: number;
}

interface Entered {
  readonly hosts: number;
  readonly events: number;
  readonly perSecond: number;
  readonly callsOfEvent: number;
  readonly groups: number;
  readonly conflicts: number;
}

/** A long feed. It is followed from its start while events arrive, and written as fast as hosts can. */
export const feed = defineBench({
  means:
    "table calls and milliseconds of a page of a long feed while events arrive, and events a second of 1 and 2 hosts",
  options: {
    events: whole(100_000, "events in the feed before it is followed"),
    payments: whole(9_000, "payments in the same tables"),
    rate: whole(50, "events that arrive a second while it is followed"),
    burst: whole(2_000, "events that are entered as fast as can be"),
    "at-once": whole(32, "workers of a host that enter at the same time"),
  },
  async run({ events, payments, rate, burst, "at-once": atOnce }, progress) {
    const [followed, entered] = await onTables(async (connection) => {
      const tables = azureTables(connection);
      const until = after(clock.now(), -3_600);
      await makeMonth(tables, { payments, perDay: 300, open: 90, terminals: 20, until });
      progress(`${payments} payments are written`);
      await fill(feedsTable(tables.feeds), events);
      progress(`${events} events are written`);
      const reader = await follow(connection, { events, rate });
      const hosts: Entered[] = [];
      for (const count of [1, 2]) hosts.push(await enterBurst(connection, { count, burst, atOnce }, progress));
      return [reader, hosts] as const;
    });
    return {
      tables: [
        {
          title: `The feed, followed from its start while ${rate} events a second arrive`,
          columns: ["events", "pages", "table calls of a page", "p50 ms", "p95 ms", "most ms"],
          rows: [[followed.events, followed.pages, followed.callsOfPage, followed.p50, followed.p95, followed.most]],
        },
        {
          title: `Entering ${burst} events at once, ${atOnce} workers a host`,
          columns: ["hosts", "events/s", "table calls of an event", "groups", "conflicts"],
          rows: entered.map((one) => [one.hosts, one.perSecond, one.callsOfEvent, one.groups, one.conflicts]),
        },
      ],
      remarks: ["Every event was read once, under numbers without a gap."],
      figures: { payments, rate, followed, entered },
    };
  },
});

const aSubject = (): PartnerSubject => ({ kind: "payment", partnerId, terminalId, sessionId: randomUUID() });
const content = { data: sampleEvents.payment.data };

/** Writes events in whole groups, as one host does. Each change has two events. */
async function fill(feeds: Feeds, events: number): Promise<void> {
  const body = JSON.stringify(sampleEvents.payment);
  let head = await feeds.head(partnerId);
  for (let written = 0; written < events;) {
    const changes: ChangeEvents[] = Array.from({ length: CHANGES_OF_GROUP }, () => ({
      commandId: randomUUID(),
      subject: aSubject(),
      bodies: [body, body],
    }));
    head = await feeds.enter(partnerId, head, { changes, at: clock.now() });
    written += 2 * CHANGES_OF_GROUP;
  }
}

/** Commits a change of a new payment with one event, with only the parts that the feed reads. */
async function commitChange(tables: Tables): Promise<Command> {
  const subject = aSubject();
  const effect = { kind: "webhook", type: "payment.captured", eventId: randomUUID() } as const;
  const made = { commandId: randomUUID(), effects: [effect], event: content };
  const at = clock.now();
  await tables.terminals.submit(terminalPartition(terminalId), committedCommand(subject, made, { sequence: 2, at }));
  return { ...made, subject, state: "ready", sequence: 2, at, done: [], etag: "" };
}

/** A host with its own tables and its writer. Every call is counted. */
function aHost(connection: string) {
  const calls = { all: 0, groups: 0, conflicts: 0 };
  const tables = azureTables(connection);
  const feeds = feedsTable(
    countingRows("feeds", tables.feeds, ({ method, result }) => {
      calls.all++;
      if (method === "group") calls[result === "refused" ? "conflicts" : "groups"]++;
    }),
  );
  return { tables, feeds, calls, writer: feedWriter({ feeds, clock }) };
}

const entering = (writer: FeedWriter, command: Command): Promise<void> =>
  writer.enter({ subject: command.subject as PartnerSubject, command, others: [], isRepeated: false });

/** Reads the feed from its start to its present end. Throws if a number is missing. */
async function follow(connection: string, { events, rate }: { events: number; rate: number }): Promise<Followed> {
  const [host, reading] = [aHost(connection), aHost(connection)];
  const ending = new AbortController();
  const arriving = arrive(host, rate, ending.signal);
  const deps = { feeds: reading.feeds, polls: newestPolls(), clock };
  const call = { newId: () => randomUUID(), caller: { partnerId, keyId: "bench" } };
  const times: number[] = [];
  let number = 0;
  for (let isAtEnd = false; !isAtEnd;) {
    const began = performance.now();
    const page = await readFeed(deps, call, { number, atMost: PAGE_EVENTS, waitSeconds: 0 });
    times.push(performance.now() - began);
    if (!page.ok) throw new Error(page.error.code);
    for (const event of page.value.events)
      if (event.number !== ++number) throw new Error(`the number ${event.number} comes where ${number} is due`);
    isAtEnd = page.value.events.length < PAGE_EVENTS;
  }
  ending.abort();
  const arrived = await arriving;
  if (number < events) throw new Error(`the feed ended at ${number} of ${events + arrived}`);
  const [p50, p95, most] = [50, 95, 100].map((percent) => round(percentile(times, percent)));
  const callsOfPage = round(reading.calls.all / times.length, 2);
  return { events: number, pages: times.length, callsOfPage, p50: p50 ?? 0, p95: p95 ?? 0, most: most ?? 0 };
}

/** Lets events arrive at this rate until it is ended. Resolves with their number once all of them are in the feed. */
async function arrive(
  { tables, writer }: ReturnType<typeof aHost>,
  rate: number,
  signal: AbortSignal,
): Promise<number> {
  const under: Promise<void>[] = [];
  for (const began = performance.now(); !signal.aborted; await sleep(20)) {
    const due = Math.floor(((performance.now() - began) / 1_000) * rate) - under.length;
    for (let i = 0; i < due; i++) under.push(commitChange(tables).then((command) => entering(writer, command)));
  }
  await Promise.all(under);
  return under.length;
}

/** Writes committed changes into the feed as fast as this many hosts can. */
async function enterBurst(
  connection: string,
  { count, burst, atOnce }: { readonly count: number; readonly burst: number; readonly atOnce: number },
  progress: Progress,
): Promise<Entered> {
  const hosts = Array.from({ length: count }, () => aHost(connection));
  const [{ tables }] = hosts as [ReturnType<typeof aHost>];
  const changes: Command[] = [];
  while (changes.length < burst)
    changes.push(...(await Promise.all(Array.from({ length: 20 }, () => commitChange(tables)))));
  const left = changes.slice(0, burst);
  const worker = async ({ writer }: ReturnType<typeof aHost>): Promise<void> => {
    for (let change = left.pop(); change; change = left.pop()) await entering(writer, change);
  };
  const began = performance.now();
  await Promise.all(hosts.flatMap((host) => Array.from({ length: atOnce }, () => worker(host))));
  const seconds = (performance.now() - began) / 1_000;
  progress(`${burst} events are entered by ${count}`);
  const sum = (of: "all" | "groups" | "conflicts") => hosts.reduce((all, { calls }) => all + calls[of], 0);
  return {
    hosts: count,
    events: burst,
    perSecond: round(burst / seconds, 0),
    callsOfEvent: round(sum("all") / burst, 2),
    groups: sum("groups"),
    conflicts: sum("conflicts"),
  };
}
