import { PARTNER_DAY_ROW, DAY_TERMINAL_PREFIX } from "../../../shared/stores/keys.ts";
import { dayTerminalRecord, type PartnerDay, partnerDayRecord } from "../../../shared/stores/partner-days.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import { tablePorts, type WholeTables } from "../../../shared/stores/stores.ts";
import type { PlainRow } from "./exported-row.ts";
import { isRecent } from "./last-day.ts";
import { withoutEtag } from "./read-payment.ts";
import type { Written } from "./restored-terminals.ts";
import type { Unit } from "./units.ts";
import type { ImportPlan } from "./verified-plan.ts";

/**
 * The partners' days of an export. The terminals may be from before the closing of a day, and lack bookings that its totals count. So a day
 * that was closed lately is closed again, with totals of the imported bookings and with another event. A day that is not closed is listed,
 * so that `repair --all` finds it.
 */
export async function* restoredDays(
  units: AsyncIterable<Unit>,
  { tables, plan }: { readonly tables: WholeTables; readonly plan: ImportPlan },
): AsyncGenerator<Written> {
  let again: string | undefined;
  for await (const { partitionKey, rows, isLast } of units) {
    const found = dayIn(rows);
    if (isClosedLately(found, plan)) again = partitionKey;
    const [partnerId = "", day = ""] = partitionKey.split("~");
    const isAgain = again === partitionKey;
    const isOpen = found !== undefined && (isAgain || found.state !== "closed");
    const beside = isOpen ? () => tablePorts(tables).partnerDays.enlist({ partnerId, day }) : undefined;
    yield { partitionKey, isLast, rows: isAgain ? rows.flatMap(openAgain) : rows, beside };
  }
}

const isClosedLately = (day: PartnerDay | undefined, { begunAt }: ImportPlan): boolean =>
  day?.closedAt !== undefined && isRecent(day.closedAt, begunAt);

function dayIn(rows: readonly PlainRow[]): PartnerDay | undefined {
  const row = rows.find(({ rowKey }) => rowKey === PARTNER_DAY_ROW);
  return row && fromRow(withoutEtag(row), partnerDayRecord);
}

/** The row of a day that is closed again. Only the day itself and its terminals stay, without totals. */
function openAgain(row: PlainRow): readonly PlainRow[] {
  if (row.rowKey === PARTNER_DAY_ROW) {
    const { totals: _, ...day } = fromRow(withoutEtag(row), partnerDayRecord);
    const closing: PartnerDay = { ...day, state: "closing" };
    return [{ ...row, columns: toColumns(closing) }];
  }
  if (!row.rowKey.startsWith(DAY_TERMINAL_PREFIX)) return [];
  const { totals: _, ...terminal } = fromRow(withoutEtag(row), dayTerminalRecord);
  return [{ ...row, columns: toColumns(terminal) }];
}
