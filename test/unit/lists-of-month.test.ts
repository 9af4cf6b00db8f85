import { expect, it } from "vitest";
import { after } from "../../shared/domain/time.ts";
import { eachTable } from "../../shared/stores/stores.ts";
import { makeMonth } from "../support/a-month.ts";
import { inMemoryRows } from "../support/in-memory-rows.ts";
import { listsOfMonth } from "../support/lists-of-month.ts";

const until = "2026-11-21T12:00:00.000Z";
const SHARDS = 16;
const [perDay, open] = [60, 12];

async function listsAmong(payments: number) {
  const tables = eachTable(() => inMemoryRows());
  const overdue = await makeMonth(tables, { payments, perDay, open, terminals: 20, until });
  const lists = await listsOfMonth({ tables, now: until, on: after(until, -3600) });
  const counted = lists.map(({ command, found, tableCalls }) => [command, [found, tableCalls]] as const);
  const isLater = ([command]: (typeof counted)[number]) => command.startsWith("purge --dry-run, ");
  return {
    overdue: overdue.length,
    counts: Object.fromEntries(counted.filter((one) => !isLater(one))),
    purgeLater: counted.find(isLater)?.[1] ?? [],
  };
}

// Each command reads the lists, and the payments in them: those of the day, or the open ones.
it("the operator's lists and repair read only the listed payments, however many payments there are", async () => {
  const { overdue, counts } = await listsAmong(120);
  expect(overdue).toBe(4);
  expect(counts).toEqual({
    "payment list --day": [perDay, SHARDS + perDay],
    "payment list --overdue": [overdue, SHARDS + 3 * open], // a payment, its commands, and its messages
    // One query of a partner's list, and the payments on the page.
    "GET /pos-payments, 50 of the day": [50, 1 + 50],
    "GET /pos-payments, 100 of the month": [100, 1 + 100],
    "payment why <requestID> --day": [0, SHARDS + perDay],
    "payment list --key": [perDay, SHARDS + perDay],
    // The progress of the purge for each of the five kinds along the lists, and the first day of each list. Also the alerts, the feeds, and
    // the booked days.
    "purge --dry-run": [0, 5 * (1 + SHARDS) + 3],
    // Each overdue payment lost a webhook and its booking.
    "repair --dry-run": [2 * overdue, SHARDS + 3 * open + overdue],
    // An open payment is read once more, to see whether it has ended. So are the commands of an ended one.
    repair: [2 * overdue, SHARDS + 4 * open + 2 * overdue],
  });
  expect((await listsAmong(1_200)).counts).toEqual(counts);
});

// The rows to purge are counted by the lists alone. There is a query for each list and day, and one for each list of the years and months.
it("a purge's count reads no payment, however many are to be purged", async () => {
  const [two, twenty] = [await listsAmong(2 * perDay), await listsAmong(20 * perDay)];
  expect(two.purgeLater[0]).toBe(2 * perDay);
  expect(twenty.purgeLater[0]).toBe(20 * perDay);
  expect(twenty.purgeLater[1]).toBe((two.purgeLater[1] ?? 0) + 18 * SHARDS);
});
