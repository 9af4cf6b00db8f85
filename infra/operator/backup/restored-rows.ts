import { actionHasEnded, actionRequestRecord } from "../../../shared/domain/action-request.ts";
import { alertRecord } from "../../../shared/domain/alert.ts";
import { landingPageRecord, requestHasEnded, tokenRequestRecord } from "../../../shared/domain/landing-page.ts";
import { dayIsSettled } from "../../../shared/domain/terminal-day/terminal-day.ts";
import { dayOf, type Instant } from "../../../shared/domain/time.ts";
import type { Subject } from "../../../shared/ports/subjects.ts";
import { commandRecord } from "../../../shared/stores/commands.ts";
import {
  ACTION_REQUEST_PREFIX,
  ALERT_PREFIX,
  OPEN_ALERT_PREFIX,
  openAlertRow,
  PENDING_PREFIX,
  pendingRow,
} from "../../../shared/stores/keys.ts";
import { kindOfRow } from "../../../shared/stores/row-kind.ts";
import { openRow } from "../../../shared/stores/subject-rows.ts";
import { LANDING_PAGES_PARTITION, PAGE_ROW, TOKEN_REQUEST_PREFIX } from "../../../shared/stores/token-keys.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import { dayRecord } from "../../../shared/stores/terminal-days.ts";
import { dayRow, type RestoredBooks } from "./restored-books.ts";
import type { PlainRow } from "./exported-row.ts";
import { withoutEtag } from "./read-payment.ts";
import { marksOf } from "./restored-marks.ts";

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

/** The name of the landing page among its rows. */
export function pageIn(rows: readonly PlainRow[]): string | undefined {
  const page = rows.find(({ rowKey }) => rowKey === PAGE_ROW);
  return page && fromRow(withoutEtag(page), landingPageRecord).landingPageId;
}

/** The rows of a landing page and its token requests. The list of all pages is written page by page. */
export function landingPageRows(rows: readonly PlainRow[]): readonly PlainRow[] {
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

/** The rows of a terminal's business day. */
export function dayRows(rows: readonly PlainRow[], books: RestoredBooks): readonly PlainRow[] {
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
  ).map((row) => (isDay(row) ? dayRow(row, books) : row));
}

const isDay = ({ rowKey }: PlainRow): boolean => kindOfRow(rowKey) === "day";

export const commandIn = (row: PlainRow) => fromRow(withoutEtag(row), commandRecord);
export const isCommand = ({ rowKey }: PlainRow): boolean => /^(day~)?command$/.test(kindOfRow(rowKey));

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
