import { situationOf } from "../../../infra/operator/common/situation.ts";
import { paymentRecord } from "../../../shared/domain/payment/record/payment.ts";
import { paymentPrefixIn } from "../../../shared/stores/keys.ts";
import { isTombstone } from "../../../shared/stores/payments.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import type { Platform } from "../platform/platform.ts";

/** Collects the situations of all payments, in each of their committed versions. */
export function watchSituations({ stores }: Platform): ReadonlySet<string> {
  const reached = new Set<string>();
  stores.watch(({ table, partition: partitionKey, operation }) => {
    const { rowKey } = operation;
    const prefix = table === "terminals" ? paymentPrefixIn(rowKey) : undefined;
    if (prefix === undefined || rowKey !== `${prefix}now` || !("columns" in operation)) return;
    const row = { partitionKey, rowKey, columns: operation.columns, etag: "" };
    if (!isTombstone(row)) reached.add(situationOf(fromRow(row, paymentRecord)));
  });
  return reached;
}
