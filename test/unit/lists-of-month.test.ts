import { expect, it } from "vitest";
import { after } from "../../shared/domain/time.ts";
import { eachTable } from "../../shared/stores/stores.ts";
import { makeMonth } from "../support/a-month.ts";
import { inMemoryRows } from "../support/in-memory-rows.ts";
import { listsOfMonth } from "../support/lists-of-month.ts";

const until = "2026-11-21T12:00:00.000Z";
const [perDay, open, terminals] = [60, 12, 20];

async function listsAmong(payments: number) {
  const tables = eachTable(() => inMemoryRows());
  const overdue = await makeMonth(tables, { payments, perDay, open, terminals, until });
  const lists = await listsOfMonth({ tables, now: until, on: after(until, -3600) });
  const counted = lists.map(({ command, found, tableCalls }) => [command, [found, tableCalls]] as const);
  const isLater = ([command]: (typeof counted)[number]) => command.startsWith("purge --dry-run, ");
  return {
    overdue: overdue.length,
    counts: Object.fromEntries(counted.filter((one) => !isLater(one))),
    purgeLater: counted.find(isLater)?.[1] ?? [],
  };
}

/** The list of partners, and the list of the only partner's terminals. */
const PLACES = 2;

// Each command reads the marks of each terminal, and the payments that they name: those of the day, or the open ones.
it("the operator's lists and repair read only the marked payments, however many payments there are", async () => {
  const { overdue, counts } = await listsAmong(120);
  const walked = PLACES + terminals;
  // A terminal's inbox, the partner's action requests, and the lists of landing pages and of open days. Each overdue payment lost a webhook,
  // so its attempts.
  const repaired = walked + terminals + 2 + 1 + 1 + 2 * open + overdue;
  expect(overdue).toBe(4);
  expect(counts).toEqual({
    "payment list --day": [perDay, walked + perDay],
    "payment list --overdue": [overdue, walked + terminals + 2 * open], // also each inbox; a payment, and its commands
    // One query of a partner's list, and the payments on the page.
    "GET /pos-payments, 50 of the day": [50, 1 + 50],
    "GET /pos-payments, 100 of the month": [100, 1 + 100],
    "payment why <requestID> --day": [0, walked + perDay],
    "payment list --key": [perDay, walked - 1 + perDay], // the partner is known
    // Terminals are walked for payments, for days and for receipts. Then action requests, pages, alerts, feeds, booked days and keys are read.
    "purge --dry-run": [0, 3 * walked + 2 + 1 + 1 + 2 + 1 + 2],
    // Each overdue payment lost a webhook and the update of its day.
    "repair --dry-run": [2 * overdue, repaired],
    repair: [2 * overdue, repaired],
  });
  expect((await listsAmong(1_200)).counts).toEqual(counts);
});

it("a purge's count reads no payment, and calls for each terminal once, however many payments are to be purged", async () => {
  const [two, twenty] = [await listsAmong(2 * perDay), await listsAmong(20 * perDay)];
  expect(two.purgeLater).toEqual([2 * perDay, PLACES + terminals]);
  expect(twenty.purgeLater).toEqual([20 * perDay, PLACES + terminals]);
});
