import { randomUUID } from "node:crypto";
import type { PaymentRequest } from "../../shared/domain/payment/requests/create-payment.ts";
import { after, dayOf, msBetween, type Instant } from "../../shared/domain/time.ts";
import { sessionColumns, type CreatedPayment } from "../../shared/stores/sessions.ts";
import {
  BOOKING_PREFIX,
  createdRow,
  dayTerminalRow,
  listedDayRow,
  PARTNER_DAY_ROW,
  PARTNER_DAYS_PARTITION,
  partnerDayPartition,
  paymentPrefix,
  sessionRow,
  sessionsPartition,
  terminalDayRow,
  terminalPartition,
} from "../../shared/stores/keys.ts";
import { partnersTable } from "../../shared/stores/partners.ts";
import { changedPrefix, OPEN_PREFIX } from "../../shared/stores/subject-rows.ts";
import { toColumns } from "../../shared/stores/record.ts";
import type { Columns, Operation, Row, Rows } from "../../shared/ports/rows.ts";
import type { Table, Tables } from "../../shared/stores/stores.ts";
import { aPartner } from "./a-partner.ts";
import { aPaymentOn, approval } from "./a-payment.ts";
import { inMemoryRows } from "./in-memory-rows.ts";
import { aPlatform, merchantId, partnerId, type Platform } from "./platform.ts";

/** The payments that `makeMonth` writes. */
export interface Month {
  readonly payments: number;
  /** Payments of one UTC day. The last day is filled first, then the days before it. */
  readonly perDay: number;
  /** The number of latest payments that are still open. Every third of them is overdue. */
  readonly open: number;
  readonly terminals: number;
  /** The end of the last day's payments. An overdue payment is at least an hour older. */
  readonly until: Instant;
}

/** A session that receives a template's rows. */
interface Stamp {
  readonly sessionId: string;
  readonly terminalId: string;
  /** When it was requested. */
  readonly at: Instant;
}

/** The rows of one payment as the platform wrote them. They are written again for other payments. */
interface Template extends Stamp {
  readonly rows: readonly Row[];
  /** The command of its request, which all payments of the template name. */
  readonly requestedBy: string;
}

const HOUR = 3600;
const DAY = 24 * HOUR;
const GROUP = 100;
const AT_ONCE = 8;

/**
 * Writes payments straight into the tables, with the rows that the platform itself writes. One payment of each kind is run on ports in
 * memory. Its rows, marks and bookings are written again with other names and times, one group for each payment. Orders and inboxes stay empty. Ended
 * payments are captured or declined. Open payments are authorized, or have lost a webhook.
 *
 * @returns the sessions of the overdue payments
 */
export async function makeMonth(
  { terminals: payments, sessions, partners, days }: Pick<Tables, "terminals" | "sessions" | "partners" | "days">,
  month: Month,
): Promise<readonly string[]> {
  const [captured, declined, authorized, overdue] = await Promise.all([
    templateOf({ captureMode: "automatic" }, async ({ sendReport }) => void (await sendReport("authorized", approval))),
    templateOf({}, async ({ sendReport }) => void (await sendReport("declined"))),
    templateOf({}, async ({ sendReport }) => void (await sendReport("authorized", approval))),
    templateOf(
      { captureMode: "automatic" },
      async ({ sendReport }) => void (await sendReport("authorized", approval, "wait")),
    ),
  ]);
  const terminals = Array.from({ length: month.terminals }, () => randomUUID());
  const stampOf = (index: number): Stamp => ({
    sessionId: randomUUID(),
    terminalId: terminals[index % terminals.length] ?? "",
    at: after(month.until, -HOUR - Math.floor(index / month.perDay) * DAY - (index % month.perDay) * 2),
  });
  const stamps = Array.from({ length: month.payments }, (_, index) => stampOf(index));
  const templateFor = (index: number): Template => {
    if (index < month.open) return index % 3 === 0 ? overdue : authorized;
    return (index - month.open) % 10 === 0 ? declined : captured;
  };
  await enterTerminals(partners, terminals);
  await each(stamps, (stamp, index) => writePayment(payments, templateFor(index), stamp));
  await enterDays(
    { payments, days },
    stamps.filter((_, index) => templateFor(index).rows.some(({ rowKey }) => rowKey.startsWith(BOOKING_PREFIX))),
  );
  await enterSessions(
    sessions,
    stamps.map((stamp, index) => {
      const { sessionId, terminalId, at: createdAt } = stamp;
      const { requestedBy } = templateFor(index);
      return { partnerId, sessionId, createdAt, requestedBy, merchantId, terminalId };
    }),
  );
  return stamps.slice(0, month.open).flatMap(({ sessionId }, index) => (index % 3 === 0 ? [sessionId] : []));
}

/** Runs one payment on the platform in memory, from its request to the terminal's last report, and takes its rows. */
async function templateOf(
  more: Partial<PaymentRequest>,
  report: (payment: Awaited<ReturnType<typeof aPaymentOn>>) => Promise<void>,
): Promise<Template> {
  const stored = new Map<Table, Rows>();
  const platform: Platform = await aPlatform({
    open(table) {
      const rows = inMemoryRows();
      stored.set(table, rows);
      return rows;
    },
  });
  const at = platform.deps.clock.now();
  const payment = await aPaymentOn(platform, { references: { orderId: randomUUID() }, ...more });
  await payment.fetch();
  await payment.sendReport("accepted");
  await report(payment);
  const { sessionId, terminalId, requestedBy } = await payment.now();
  const partition = terminalPartition(terminalId);
  const prefixes = [paymentPrefix({ sessionId }), `${OPEN_PREFIX}payment~`, changedPrefix("payment"), BOOKING_PREFIX];
  const found = prefixes.map(async (prefix) => (await stored.get("terminals")?.withPrefix(partition, prefix)) ?? []);
  const rows = (await Promise.all(found)).flat();
  return { sessionId, terminalId, at, rows, requestedBy };
}

/** Writes the template's rows in one group, as rows of another payment. */
async function writePayment(rows: Rows, template: Template, stamp: Stamp): Promise<void> {
  const renamed = renamer(template, stamp);
  const operations = template.rows.map(({ rowKey, columns }): Operation => ({
    kind: "insert",
    rowKey: renamed(rowKey),
    columns: mapText(columns, renamed),
  }));
  await rows.submit(terminalPartition(stamp.terminalId), operations);
}

/** Replaces the template's names and times by a payment's own. Its day is the day of its request. */
function renamer(template: Template, stamp: Stamp): (text: string) => string {
  const seconds = msBetween(template.at, stamp.at) / 1000;
  const known = new RegExp(
    `${template.sessionId}|${template.terminalId}|["~]${dayOf(template.at)}["~]|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z`,
    "g",
  );
  return (text) =>
    text.replaceAll(known, (found) => {
      if (found === template.sessionId) return stamp.sessionId;
      if (found === template.terminalId) return stamp.terminalId;
      return /^["~]/.test(found) ? found.replace(dayOf(template.at), dayOf(stamp.at)) : after(found, seconds);
    });
}

const mapText = (columns: Columns, change: (text: string) => string): Columns =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [name, typeof value === "string" ? change(value) : value]),
  );

/** Enters the partner and its terminals, by which an operator's commands find payments. */
async function enterTerminals(rows: Rows, terminals: readonly string[]): Promise<void> {
  const partners = partnersTable(rows);
  await partners.save(aPartner({ partnerId }), undefined);
  await each(terminals, (terminalId) => partners.addTerminal(partnerId, terminalId));
}

/** Writes the days of payments with bookings: those of each terminal, and the partner's with its terminals. */
async function enterDays(
  { payments, days }: Readonly<Record<"payments" | "days", Rows>>,
  stamps: readonly Stamp[],
): Promise<void> {
  const insert = (rowKey: string, record: object): Operation => ({
    kind: "insert",
    rowKey,
    columns: toColumns(record),
  });
  await each([...Map.groupBy(stamps, ({ at }) => dayOf(at))], async ([day, ofDay]) => {
    const terminals = [...new Set(ofDay.map(({ terminalId }) => terminalId))];
    for (const terminalId of terminals)
      await payments.submit(terminalPartition(terminalId), [insert(terminalDayRow(day), { isEntered: true })]);
    const operations = [
      insert(PARTNER_DAY_ROW, { state: "open" }),
      ...terminals.map((terminalId) => insert(dayTerminalRow(terminalId), { terminalId })),
    ];
    await days.submit(PARTNER_DAYS_PARTITION, [insert(listedDayRow({ partnerId, day }), { partnerId, day })]);
    for (let i = 0; i < operations.length; i += GROUP)
      await days.submit(partnerDayPartition(partnerId, day), operations.slice(i, i + GROUP));
  });
}

/** Enters sessions and their places in the partner's list, many in one group, because a partner is one partition. */
async function enterSessions(rows: Rows, entries: readonly CreatedPayment[]): Promise<void> {
  const groups = Array.from({ length: Math.ceil((2 * entries.length) / GROUP) }, (_, i) =>
    entries.slice((i * GROUP) / 2, ((i + 1) * GROUP) / 2),
  );
  await each(groups, async (group) => {
    const inserts = group.flatMap((entry): Operation[] => [
      {
        kind: "insert",
        rowKey: sessionRow(entry.sessionId),
        columns: sessionColumns({ terminalId: entry.terminalId, createdAt: entry.createdAt }),
      },
      { kind: "insert", rowKey: createdRow(entry), columns: toColumns(entry) },
    ]);
    await rows.submit(sessionsPartition(partnerId), inserts);
  });
}

/** Acts on each item, eight at a time. */
async function each<Item>(items: readonly Item[], act: (item: Item, index: number) => Promise<void>): Promise<void> {
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) await act(item, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
