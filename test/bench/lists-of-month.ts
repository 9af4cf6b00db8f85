import type { Announcement } from "../../shared/ports/announcements.ts";
import { dayOf, type Instant } from "../../shared/domain/time.ts";
import { tablePorts, eachTable, type Tables } from "../../shared/tables/table-ports.ts";
import { findPayments } from "../../shared/use-cases/inspect/find-payment.ts";
import { overduePayments, paymentsOfDay } from "../../shared/use-cases/repair/list-payments.ts";
import { repair } from "../../shared/use-cases/repair/repair.ts";
import { countingRows } from "./counting-ports.ts";

/** One of an operator's commands on tables that hold a month of payments. */
interface Measured {
  readonly command: string;
  /** How many payments or effects it shows. */
  readonly found: number;
  readonly tableCalls: number;
  readonly ms: number;
}

/** What the commands of a month are measured on. */
interface Looked {
  readonly tables: Tables;
  readonly now: Instant;
  /** A moment of the day whose payments are listed. */
  readonly on: Instant;
}

/**
 * Runs the operator's lists, and repair, on these tables, and counts their table calls. What repair announces is counted, and goes to no
 * queue. Repair comes last: it is the only one that may write.
 */
export async function listsOfMonth({ tables, now, on }: Looked): Promise<readonly Measured[]> {
  let tableCalls = 0;
  const announced: Announcement[] = [];
  const deps = {
    ...tablePorts(eachTable((table) => countingRows(table, tables[table], () => void tableCalls++))),
    announcements: { send: async (_: string, announcement: Announcement) => void announced.push(announcement) },
  };
  const call = { now: () => now };
  const day = dayOf(on);
  const commands: Readonly<Record<string, () => Promise<readonly unknown[]>>> = {
    "payment list --day": () => paymentsOfDay(deps, day),
    "payment list --overdue": () => overduePayments(deps, call),
    "payment why <requestID> --day": () => findPayments(deps, "no-such-request", [day]),
    "repair --dry-run": () => repair(deps, call, { all: false, dryRun: true }),
    repair: () => repair(deps, call, { all: false, dryRun: false }),
  };
  const measured: Measured[] = [];
  for (const [command, run] of Object.entries(commands)) {
    tableCalls = 0;
    const began = performance.now();
    const { length: found } = await run();
    measured.push({ command, found, tableCalls, ms: performance.now() - began });
  }
  return measured;
}
