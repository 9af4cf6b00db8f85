import { actionHasEnded, actionRequestRecord } from "../../../shared/domain/action-request.ts";
import { alertRecord } from "../../../shared/domain/alert.ts";
import { landingPageRecord, requestHasEnded, tokenRequestRecord } from "../../../shared/domain/landing-page.ts";
import { dayIsSettled } from "../../../shared/domain/terminal-day/terminal-day.ts";
import { type InboxEntry, inboxRecord } from "../../../shared/domain/terminal-inbox.ts";
import { dayOf, type Instant } from "../../../shared/domain/time.ts";
import type { Subject } from "../../../shared/ports/subjects.ts";
import { commandRecord } from "../../../shared/stores/commands.ts";
import {
  ACTION_REQUEST_PREFIX,
  ALERT_PREFIX,
  CLAIM_ROW,
  filedRow,
  HOLD_SUFFIX,
  INBOX_PREFIX,
  inboxRow,
  OPEN_ALERT_PREFIX,
  openAlertRow,
  PENDING_PREFIX,
  pendingRow,
} from "../../../shared/stores/keys.ts";
import { kindOfRow } from "../../../shared/stores/row-kind.ts";
import { openRow } from "../../../shared/stores/subject-rows.ts";
import { LANDING_PAGES_PARTITION, PAGE_ROW, TOKEN_REQUEST_PREFIX } from "../../../shared/stores/token-keys.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import { holdingSessionOf } from "../../../shared/stores/payments.ts";
import { dayRecord } from "../../../shared/stores/terminal-days.ts";
import { claimColumns } from "../../../shared/stores/terminals.ts";
import { dayRow } from "./restored-bookings.ts";
import type { PlainRow } from "./exported-row.ts";
import { withoutEtag } from "./read-payment.ts";
import { marksOf } from "./restored-marks.ts";
import { addResponse, type RestorePlan, type TerminalPlan } from "./restore-plan.ts";

/**
 * The rows of a terminal's partition. Its claim and the messages of its payments are derived from the payments. A response to an action
 * request that was filed meanwhile is added, unless the terminal has answered it.
 */
export function terminalRows(rows: readonly PlainRow[], plan: TerminalPlan, partitionKey: string): PlainRow[] {
  const own = (rowKey: string, columns: PlainRow["columns"]): PlainRow => ({ partitionKey, rowKey, columns });
  const inInbox = (message: InboxEntry) => own(inboxRow(message.slot), toColumns(message, { state: message.state }));
  const kept = rows.filter((row) => row.rowKey !== CLAIM_ROW && !isOfPayment(row));
  const there = new Set(kept.map(({ rowKey }) => rowKey));
  const responses = plan.responses.filter(({ slot }) => !there.has(filedRow(slot)));
  return [
    ...kept,
    ...(plan.holder ? [own(CLAIM_ROW, claimColumns({ holder: holdingSessionOf(plan.holder.payment) }))] : []),
    ...plan.due.map(inInbox),
    ...responses.map(({ slot }) => own(filedRow(slot), toColumns({}))),
    ...responses.filter(({ slot }) => !there.has(inboxRow(slot))).map(inInbox),
  ];
}

/** Whether the row is a payment's message in the inbox, or its hold. */
function isOfPayment({ rowKey, columns, partitionKey }: PlainRow): boolean {
  if (!rowKey.startsWith(INBOX_PREFIX)) return false;
  if (rowKey.endsWith(HOLD_SUFFIX)) return true;
  return fromRow({ partitionKey, rowKey, columns, etag: "" }, inboxRecord).message.type !== "actionAnswer";
}

/** The rows of the alerts. The marks of open alerts are derived from the alerts. */
export function alertRows(rows: readonly PlainRow[]): PlainRow[] {
  const alerts = rows.filter(({ rowKey }) => rowKey.startsWith(ALERT_PREFIX));
  const marks = alerts.flatMap(({ partitionKey, ...row }) => {
    const alert = fromRow({ partitionKey, ...row, etag: "" }, alertRecord);
    const columns = toColumns(identityRecord.parse(alert));
    return alert.status === "open" ? [{ partitionKey, rowKey: openAlertRow(alert), columns }] : [];
  });
  return [...rows.filter(({ rowKey }) => !rowKey.startsWith(OPEN_ALERT_PREFIX)), ...marks];
}
const identityRecord = alertRecord.pick({ subject: true, kind: true, about: true });

/** The rows of a partner's action requests. The marks of pending requests are derived from the requests. */
export function actionRows(rows: readonly PlainRow[]): PlainRow[] {
  const actions = rows
    .filter(({ rowKey }) => rowKey.startsWith(ACTION_REQUEST_PREFIX))
    .map((row) => fromRow(withoutEtag(row), actionRequestRecord));
  const [partitionKey = ""] = rows.map((row) => row.partitionKey);
  const marks = actions
    .filter(({ status }) => status === "pending")
    .map(({ actionRequestId, terminalId }) => ({
      partitionKey,
      rowKey: pendingRow(actionRequestId),
      columns: toColumns({ actionRequestId, terminalId }),
    }));
  const kept = ofSubjects(
    rows.filter(({ rowKey }) => !rowKey.startsWith(PENDING_PREFIX)),
    actions.map((action) => {
      const { partnerId, actionRequestId } = action;
      const subject = { kind: "actionRequest", partnerId, actionRequestId } as const;
      return { ...action, subject, hasEnded: actionHasEnded(action) };
    }),
  );
  return [...kept, ...marks];
}

/** Plans the responses to a partner's action requests that terminals must hold. */
export function planActions(plan: RestorePlan, rows: readonly PlainRow[], begunAt: string): void {
  const actions = rows
    .filter(({ rowKey }) => rowKey.startsWith(ACTION_REQUEST_PREFIX))
    .map((row) => fromRow(withoutEtag(row), actionRequestRecord));
  const sequences = new Map(actions.map(({ actionRequestId, sequence }) => [actionRequestId, sequence]));
  for (const command of rows.filter(isCommand).map(commandIn)) {
    const { subject } = command;
    const sequence = subject.kind === "actionRequest" ? sequences.get(subject.actionRequestId) : undefined;
    if (sequence !== undefined) addResponse(plan, command, { sequence, begunAt });
  }
}

/** The rows of a landing page and its token requests. The list of all pages is written at the end. */
export function landingPageRows(rows: readonly PlainRow[], plan: RestorePlan): readonly PlainRow[] {
  const page = rows.find(({ rowKey }) => rowKey === PAGE_ROW);
  if (page) plan.pages.push(fromRow(withoutEtag(page), landingPageRecord).landingPageId);
  if (rows[0]?.partitionKey === LANDING_PAGES_PARTITION) return [];
  const requests = rows
    .filter(({ rowKey }) => rowKey.startsWith(TOKEN_REQUEST_PREFIX))
    .map((row) => fromRow(withoutEtag(row), tokenRequestRecord));
  return ofSubjects(
    rows,
    requests.map((request) => {
      const { landingPageId, requestId, createdAt } = request;
      const subject = { kind: "tokenRequest", landingPageId, requestId, createdAt } as const;
      return { ...request, subject, hasEnded: requestHasEnded(request) };
    }),
  );
}

/** The rows of a terminal's business days. */
export function dayRows(rows: readonly PlainRow[]): readonly PlainRow[] {
  const days = rows
    .filter(isDay)
    .map((row) => fromRow(withoutEtag(row), dayRecord).terminalDay)
    .filter((terminalDay) => terminalDay !== undefined);
  return ofSubjects(
    rows,
    days.map((terminalDay) => {
      const { partnerId, terminalId, day } = terminalDay;
      const subject = { kind: "terminalDay", partnerId, terminalId, day } as const;
      return { ...terminalDay, subject, hasEnded: dayIsSettled(terminalDay) };
    }),
  ).map((row) => (isDay(row) ? dayRow(row) : row));
}

const isDay = ({ rowKey }: PlainRow): boolean => kindOfRow(rowKey) === "day";

const commandIn = (row: PlainRow) => fromRow(withoutEtag(row), commandRecord);
const isCommand = ({ rowKey }: PlainRow): boolean => /^(day~)?command$/.test(kindOfRow(rowKey));

/** A subject as it was exported. */
interface Exported {
  readonly subject: Subject;
  readonly hasEnded: boolean;
  readonly sequence: number;
  readonly updatedAt: Instant;
}

/**
 * The rows of the subjects of one partition, with their marks. A command of a change that came after its subject was read leaves, because
 * that change is lost. A command without a subject was aborted.
 */
function ofSubjects(rows: readonly PlainRow[], exported: readonly Exported[]): readonly PlainRow[] {
  const sequences = new Map(exported.map(({ subject, sequence }) => [openRow(subject), sequence]));
  const kept = rows.filter((row) => {
    if (!isCommand(row)) return true;
    const { subject, state, sequence } = commandIn(row);
    return state === "aborted" || sequence <= (sequences.get(openRow(subject)) ?? 0);
  });
  return [...kept, ...marksFor(kept, exported)];
}

function marksFor(rows: readonly PlainRow[], exported: readonly Exported[]): readonly PlainRow[] {
  const [{ partitionKey } = { partitionKey: "" }] = rows;
  const bySubject = Map.groupBy(rows.filter(isCommand).map(commandIn), ({ subject }) => openRow(subject));
  const marks = exported.flatMap(({ subject, hasEnded, updatedAt }) => {
    const commands = bySubject.get(openRow(subject)) ?? [];
    bySubject.delete(openRow(subject));
    return marksOf(subject, partitionKey, { hasEnded, days: [dayOf(updatedAt)], commands });
  });
  const aborted = [...bySubject.values()].flatMap(([first, ...others]) => {
    const days = [first, ...others].flatMap((command) => (command ? [dayOf(command.at)] : []));
    return first ? marksOf(first.subject, partitionKey, { hasEnded: true, days, commands: [] }) : [];
  });
  return [...marks, ...aborted];
}
