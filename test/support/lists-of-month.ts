import { retentionKinds, retentionTable } from "../../shared/domain/retention.ts";
import { wholeDayOf, type PaymentQuery } from "../../shared/domain/payment/record/payment-query.ts";
import { after, dayOf, type Instant } from "../../shared/domain/time.ts";
import { tablePorts, eachTable, type Tables } from "../../shared/stores/stores.ts";
import { paymentsChangedBy, paymentsChangedByKey } from "../../shared/use-cases/operator/inspect/find-payment.ts";
import { listPayments } from "../../shared/use-cases/payments/list-payments.ts";
import { overduePayments, paymentsOfDay } from "../../shared/use-cases/operator/repair/list-payments.ts";
import { planPurge, type PurgeOrder } from "../../shared/use-cases/operator/retention/purge.ts";
import { repair } from "../../shared/use-cases/operator/repair/repair.ts";
import { countingRows } from "../bench/counting-ports.ts";
import { partnerId } from "./platform.ts";

/** An operator's command, run on tables that hold a month of payments. */
interface Counted {
  readonly command: string;
  /** The number of payments or effects that it shows. */
  readonly found: number;
  readonly tableCalls: number;
}

/** The tables that the commands of a month read, and their times. */
interface Looked {
  readonly tables: Tables;
  readonly now: Instant;
  /** A moment of the day whose payments are listed. */
  readonly on: Instant;
}

/**
 * Runs the operator's lists, and repair, on these tables, and counts their table calls. The announcements of repair go to no queue.
 */
export async function listsOfMonth({ tables, now, on }: Looked): Promise<readonly Counted[]> {
  let tableCalls = 0;
  const stores = tablePorts(eachTable((table) => countingRows(table, tables[table], () => void tableCalls++)));
  const deps = {
    ...stores,
    announcements: { send: async () => {} },
  };
  const call = { now: () => now };
  const day = dayOf(on);
  const purgeOf = (orders: readonly PurgeOrder[], at: Instant) => async () => {
    let length = 0;
    for (const order of orders) length += (await planPurge(deps, { now: () => at }, order)).atMost;
    return { length };
  };
  const pageOf = async (query: PaymentQuery, limit: number) => {
    const caller = { partnerId, keyId: "k1" };
    const page = await listPayments(deps, { ...call, caller, newId: () => "" }, query, { limit });
    return page.ok ? page.value.payments : [];
  };
  const standard = retentionKinds.map((kind) => ({ kind, days: retentionTable[kind].days }));
  const commands: Readonly<Record<string, () => Promise<{ readonly length: number }>>> = {
    "payment list --day": () => paymentsOfDay(deps, day),
    "payment list --overdue": () => overduePayments(deps, call),
    "payment why <requestID> --day": () => paymentsChangedBy(deps, "no-such-request", [day]),
    "payment list --key": async () => {
      const { read } = await paymentsChangedByKey(deps, { keyId: "no-such-key", partnerId }, { from: day, to: day });
      return { length: read };
    },
    "GET /pos-payments, 50 of the day": () => pageOf({ range: wholeDayOf(on) }, 50),
    "GET /pos-payments, 100 of the month": () =>
      pageOf({ range: { from: after(now, -31 * 86_400), before: now } }, 100),
    "purge --dry-run": purgeOf(standard, now),
    "purge --dry-run, seven years and a month later": purgeOf(
      standard.filter(({ kind }) => kind === "payments"),
      after(now, (retentionTable.payments.days + 31) * 86_400),
    ),
    "repair --dry-run": async () => (await repair(deps, call, { all: false, dryRun: true })).announced,
    repair: async () => (await repair(deps, call, { all: false, dryRun: false })).announced,
  };
  const counted: Counted[] = [];
  for (const [command, run] of Object.entries(commands)) {
    tableCalls = 0;
    const found = (await run()).length;
    counted.push({ command, found, tableCalls });
  }
  return counted;
}
