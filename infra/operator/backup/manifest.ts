import { createHash } from "node:crypto";
import * as z from "zod";
import { refundedAmount } from "../../../shared/domain/payment/record/kept-money.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { dayOf } from "../../../shared/domain/time.ts";
import { tableNames } from "../../../shared/stores/table-names.ts";
import { damagedRecord, damageIn, type Damaged } from "./damage.ts";
import { fromLine, type Lines, type PlainRow } from "./exported-row.ts";
import { paymentIn } from "./read-payment.ts";
import { exportedTables } from "./table-order.ts";
import { isOfSession, unitsOf } from "./units.ts";

const sumRecord = z.object({
  /** The UTC day of the payment requests. */
  day: z.string(),
  currency: z.string(),
  payments: z.int(),
  /** In minor units. */
  authorized: z.int(),
  captured: z.int(),
  refunded: z.int(),
});
type Sum = z.infer<typeof sumRecord>;

/** The contents of an export. It is written last, so an export without it is not finished. */
export const manifestRecord = z.object({
  format: z.literal(1),
  begunAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  tables: z.record(z.string(), z.object({ rows: z.int(), partitions: z.int(), sha256: z.string() })),
  /** Without the damaged payments. */
  payments: z.object({ byStatus: z.record(z.string(), z.int()), sums: z.array(sumRecord) }),
  /** The rows that an import cannot use. An export of an earlier release names none. */
  damaged: z.array(damagedRecord).default([]),
});
export type Manifest = z.infer<typeof manifestRecord>;

/** Counts the contents of an export's files, and names their damaged rows. */
export async function takeStock(lines: Lines, moments: Pick<Manifest, "begunAt" | "endedAt">): Promise<Manifest> {
  const counted: Manifest["tables"] = {};
  const damaged: Damaged[] = [];
  const stock = paymentStock();
  for (const table of exportedTables) {
    const hash = createHash("sha256");
    let [rows, partitions] = [0, 0];
    const hashed = async function* () {
      let number = 0;
      for await (const line of lines(table)) {
        hash.update(`${line}\n`);
        yield readLine(line, `line ${++number} of ${tableNames[table]}`);
      }
    };
    for await (const unit of unitsOf(table, hashed())) {
      rows += unit.rows.length;
      if (unit.isLast) partitions++;
      const found = damageIn(table, unit);
      damaged.push(...found);
      if (isOfSession(unit) && found.length === 0) stock.add(paymentIn(unit.rows)?.payment);
    }
    counted[table] = { rows, partitions, sha256: hash.digest("hex") };
  }
  return { format: 1, ...moments, tables: counted, payments: stock.taken(), damaged };
}

function readLine(line: string, name: string): PlainRow {
  try {
    return fromLine(line);
  } catch (error) {
    throw new Error(`The ${name} is not a row of an export.`, { cause: error });
  }
}

function paymentStock() {
  const byStatus: Record<string, number> = {};
  const sums = new Map<string, Sum>();
  return {
    add(payment: Payment | undefined): void {
      if (!payment) return;
      const { status, currency, createdAt, amounts } = payment;
      byStatus[status] = (byStatus[status] ?? 0) + 1;
      const day = dayOf(createdAt);
      const sum = sums.get(`${day} ${currency}`) ?? {
        day,
        currency,
        payments: 0,
        authorized: 0,
        captured: 0,
        refunded: 0,
      };
      sums.set(`${day} ${currency}`, {
        ...sum,
        payments: sum.payments + 1,
        authorized: sum.authorized + amounts.authorized,
        captured: sum.captured + amounts.captured,
        refunded: sum.refunded + refundedAmount(payment),
      });
    },
    taken: (): Manifest["payments"] => ({
      byStatus,
      sums: [...sums.keys()].toSorted().flatMap((name) => sums.get(name) ?? []),
    }),
  };
}

/** The counts of a table that the export does not have, such as a table of a later release. */
const NO_ROWS = { rows: 0, sha256: createHash("sha256").digest("hex") };

/**
 * The differences between two manifests, as sentences. Empty if they agree. The times are not compared. If one of them names damaged rows,
 * the payments are not compared, since those rows may have been corrected, or may be readable for another release.
 */
export function differencesBetween(said: Manifest, found: Manifest): readonly string[] {
  const ofTables = exportedTables.flatMap((table) => {
    const [one = NO_ROWS, other = NO_ROWS] = [said.tables[table], found.tables[table]];
    if (one.rows !== other.rows) return [`${table}: the manifest has ${one.rows} rows, and the file ${other.rows}`];
    return one.sha256 === other.sha256 ? [] : [`${table}: the file was changed after it was written (SHA-256)`];
  });
  if (said.damaged.length > 0 || found.damaged.length > 0) return ofTables;
  const paymentsOf = ({ payments }: Manifest) => [
    ...Object.entries(payments.byStatus).map(([status, count]) => `${count} payments are ${status}`),
    ...payments.sums.map((sum) => JSON.stringify(sum)),
  ];
  const [here, there] = [new Set(paymentsOf(said)), new Set(paymentsOf(found))];
  return [
    ...ofTables,
    ...[...here].filter((one) => !there.has(one)).map((one) => `payments: only the manifest has: ${one}`),
    ...[...there].filter((one) => !here.has(one)).map((one) => `payments: only the file has: ${one}`),
  ];
}
