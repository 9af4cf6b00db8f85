import { actionRequestRecord } from "../../../shared/domain/action-request.ts";
import { effectId, isImpliedBySubject } from "../../../shared/domain/effects.ts";
import { landingPageRecord, tokenRequestRecord } from "../../../shared/domain/landing-page.ts";
import { isFinal, paymentRecord, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import { dayOf, type Day } from "../../../shared/domain/time.ts";
import type { Row, Rows } from "../../../shared/ports/rows.ts";
import { paymentSubjectOf, type Subject } from "../../../shared/ports/subjects.ts";
import { commandRecord, type Command } from "../../../shared/stores/commands.ts";
import { isTombstone, tombstoneRecord } from "../../../shared/stores/payments.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import { kindOfRow } from "../../../shared/stores/row-kind.ts";
import { dayRecord } from "../../../shared/stores/terminal-days.ts";
import { changedRow, OPEN_PREFIX, openCommandRow, openRow } from "../../../shared/stores/subject-rows.ts";
import { LANDING_PAGES_PARTITION, listedPageRow, PAGE_ROW } from "../../../shared/stores/token-keys.ts";
import type { World } from "../world/world.ts";
import type { Platform } from "./platform.ts";

/** The tables with subjects. */
const marked = ["terminals", "actionRequests", "landingPages"] as const;
type MarkedTable = (typeof marked)[number];
const isMarked = (table: string): table is MarkedTable => (marked as readonly string[]).includes(table);

/** The marks that a row demands in its partition. */
interface Due {
  readonly subject: Subject;
  /** The mark that exists exactly if the subject, or its command, is open. */
  readonly open: string;
  readonly isOpen: boolean;
  /** The mark of the day of the last change; undefined for a command that was committed. */
  readonly changed: string | undefined;
}

/** Whether nothing is left to do for an ended subject. A payment's messages and looks are not marked as done. */
export const isDone = ({ subject, state, effects, done }: Omit<Command, "etag">): boolean =>
  state === "aborted" ||
  effects.every((effect) => isImpliedBySubject(effect, subject) || done.includes(effectId(effect)));

/** Whether the payment is final, and waits for no terminal. */
export const hasEnded = ({ status, refunds, charges }: Payment): boolean =>
  isFinal(status) && !refunds.some((r) => r.status === "pending") && !charges.some((c) => c.status === "reversing");

/** The marks that the row of a subject or of a command demands; undefined for another row. */
function dueOf(table: MarkedTable, row: Row): Due | undefined {
  switch (kindOfRow(row.rowKey)) {
    case "payment~now": {
      if (isTombstone(row)) {
        const { at, ...key } = fromRow(row, tombstoneRecord);
        return ofSubject(paymentSubjectOf(key), { isOpen: false, day: dayOf(at) });
      }
      const payment = fromRow(row, paymentRecord);
      return ofSubject(paymentSubjectOf(payment), { isOpen: !hasEnded(payment), day: dayOf(payment.updatedAt) });
    }
    case "day": {
      const { terminalDay } = fromRow(row, dayRecord);
      if (!terminalDay) return undefined;
      const { partnerId, terminalId, day, status, updatedAt } = terminalDay;
      const isOpen = status === "open" || status === "comparing";
      return ofSubject({ kind: "terminalDay", partnerId, terminalId, day }, { isOpen, day: dayOf(updatedAt) });
    }
    case "request":
      return table === "actionRequests" ? ofAction(row) : ofTokenRequest(row);
    case "command":
    case "payment~command":
    case "day~command":
      return ofCommand(fromRow(row, commandRecord));
    default:
      return undefined;
  }
}

const ofSubject = (subject: Subject, { isOpen, day }: { readonly isOpen: boolean; readonly day: Day }): Due => ({
  subject,
  open: openRow(subject),
  isOpen,
  changed: changedRow(subject, day),
});

function ofAction(row: Row): Due {
  const { partnerId, actionRequestId, status, updatedAt } = fromRow(row, actionRequestRecord);
  const subject = { kind: "actionRequest", partnerId, actionRequestId } as const;
  return ofSubject(subject, { isOpen: status === "pending", day: dayOf(updatedAt) });
}

function ofTokenRequest(row: Row): Due {
  const { landingPageId, requestId, createdAt, status, updatedAt } = fromRow(row, tokenRequestRecord);
  const subject = { kind: "tokenRequest", landingPageId, requestId, createdAt } as const;
  return ofSubject(subject, { isOpen: status !== "emailed" && status !== "emailFailed", day: dayOf(updatedAt) });
}

const ofCommand = (command: Omit<Command, "etag">): Due => ({
  subject: command.subject,
  open: openCommandRow(command.subject, command.commandId),
  isOpen: !isDone(command),
  changed: command.state === "aborted" ? changedRow(command.subject, dayOf(command.at)) : undefined,
});

/** At every moment a subject's marks show its state: whether it or a command of it is open, and the day of its last change. */
export function watchMarks(world: World, { stores }: Platform): void {
  stores.watch(async ({ table, partition, operation }) => {
    if (!isMarked(table) || !("columns" in operation)) return;
    const { rowKey, columns } = operation;
    if (table === "landingPages" && rowKey === PAGE_ROW) return checkListed(world, stores.plain.landingPages, columns);
    const due = dueOf(table, { partitionKey: partition, rowKey, columns, etag: "" });
    if (!due) return;
    const [row, open, changed] = await atOnce(stores.plain[table], partition, [rowKey, due.open, due.changed]);
    if (row?.columns["data0"] !== columns["data0"]) return; // it changed again, and the marks with it
    check(world, `${partition} ${rowKey}`, due, { isOpen: open !== undefined, isChanged: changed !== undefined });
  });
}

/** A landing page is in the list of all pages before it exists, so that its subjects are found. */
async function checkListed(world: World, rows: Rows, columns: Row["columns"]): Promise<void> {
  const { landingPageId } = fromRow({ partitionKey: "", rowKey: PAGE_ROW, columns, etag: "" }, landingPageRecord);
  if (!(await rows.get(LANDING_PAGES_PARTITION, listedPageRow(landingPageId))))
    world.violate("a landing page that is not listed", landingPageId);
}

/** Reads rows of one moment. */
const atOnce = (rows: Rows, partition: string, keys: readonly (string | undefined)[]) =>
  Promise.all(keys.map(async (key) => (key === undefined ? undefined : rows.get(partition, key))));

function check(
  world: World,
  name: string,
  due: Due,
  { isOpen, isChanged }: { readonly isOpen: boolean; readonly isChanged: boolean },
): void {
  if (due.isOpen && !isOpen) world.violate("open, but not marked as open", name);
  if (!due.isOpen && isOpen) world.violate("not open, but marked as open", name);
  if (due.changed !== undefined && !isChanged) world.violate("changed, but not marked under its day", name);
}

/** All marks show the states of their subjects, and none marks anything else as open. */
export async function checkAllMarks(world: World, { stores }: Platform): Promise<void> {
  for (const table of marked) {
    const rows: Row[] = [];
    for await (const row of stores.whole()[table].rowsAfter()) rows.push(row);
    for (const [partition, own] of Map.groupBy(rows, ({ partitionKey }) => partitionKey))
      checkPartition(world, table, partition, own);
  }
}

function checkPartition(world: World, table: MarkedTable, partition: string, rows: readonly Row[]): void {
  const keys = new Set(rows.map(({ rowKey }) => rowKey));
  const open = new Set([...keys].filter((key) => key.startsWith(OPEN_PREFIX)));
  const found = rows.flatMap((row) => {
    const due = dueOf(table, row);
    return due ? [{ row, due }] : [];
  });
  const existing = new Set(found.map(({ due }) => due.open));
  for (const { row, due } of found) {
    // The mark of an existing subject shows its own last change.
    const isOfAborted = kindOfRow(row.rowKey).endsWith("command") && existing.has(openRow(due.subject));
    const isChanged = isOfAborted || due.changed === undefined || keys.has(due.changed);
    check(world, `${partition} ${row.rowKey}`, due, { isOpen: open.delete(due.open), isChanged });
  }
  for (const key of open) world.violate("nothing, but marked as open", `${partition} ${key}`);
}
