import { actionHasEnded, actionRequestRecord } from "../../../shared/domain/action-request.ts";
import { alertRecord } from "../../../shared/domain/alert.ts";
import { requestHasEnded, tokenRequestRecord } from "../../../shared/domain/landing-page.ts";
import { dayIsSettled, terminalDayRecord } from "../../../shared/domain/terminal-day/terminal-day.ts";
import { type InboxEntry, inboxRecord } from "../../../shared/domain/terminal-inbox.ts";
import { commandRecord } from "../../../shared/stores/commands.ts";
import { isCarriedOut } from "../../../shared/use-cases/outbox/leave-open-list.ts";
import {
  ACTION_REQUEST_PREFIX,
  ALERT_PREFIX,
  CLAIM_ROW,
  COMMAND_PREFIX,
  filedRow,
  HOLD_SUFFIX,
  INBOX_PREFIX,
  inboxRow,
  OPEN_ALERT_PREFIX,
  openAlertRow,
  PENDING_PREFIX,
  pendingRow,
  TERMINAL_DAY_PREFIX,
} from "../../../shared/stores/keys.ts";
import { TOKEN_REQUEST_PREFIX } from "../../../shared/stores/token-keys.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import { holdingSessionOf } from "../../../shared/stores/payments.ts";
import { claimColumns } from "../../../shared/stores/terminals.ts";
import type { PlainRow } from "./exported-row.ts";
import { withoutEtag } from "./read-payment.ts";
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
export function actionRows(rows: readonly PlainRow[], plan: RestorePlan): PlainRow[] {
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
  const sequences = new Map(actions.map(({ actionRequestId, sequence }) => [actionRequestId, sequence]));
  const kept = withoutLost(rows, (subject) =>
    subject.kind === "actionRequest" ? sequences.get(subject.actionRequestId) : undefined,
  );
  const undone = undoneIn(kept);
  for (const action of actions) {
    const { partnerId, actionRequestId } = action;
    if (!actionHasEnded(action) || undone.has(actionRequestId))
      plan.undone.push({ kind: "actionRequest", partnerId, actionRequestId });
  }
  return [...kept.filter(({ rowKey }) => !rowKey.startsWith(PENDING_PREFIX)), ...marks];
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

/** The rows of a landing page and its token requests. */
export function landingPageRows(rows: readonly PlainRow[], plan: RestorePlan): readonly PlainRow[] {
  const requests = rows
    .filter(({ rowKey }) => rowKey.startsWith(TOKEN_REQUEST_PREFIX))
    .map((row) => fromRow(withoutEtag(row), tokenRequestRecord));
  const sequences = new Map(requests.map(({ requestId, sequence }) => [requestId, sequence]));
  const kept = withoutLost(rows, (subject) =>
    subject.kind === "tokenRequest" ? sequences.get(subject.requestId) : undefined,
  );
  const undone = undoneIn(kept);
  for (const request of requests) {
    const { landingPageId, requestId, createdAt } = request;
    if (!requestHasEnded(request) || undone.has(requestId))
      plan.undone.push({ kind: "tokenRequest", landingPageId, requestId, createdAt });
  }
  return kept;
}

/** The rows of a partner's terminal days. A day that is not settled is listed as open. */
export function dayRows(rows: readonly PlainRow[], plan: RestorePlan): readonly PlainRow[] {
  for (const row of rows.filter(({ rowKey }) => rowKey.startsWith(TERMINAL_DAY_PREFIX))) {
    const terminalDay = fromRow(withoutEtag(row), terminalDayRecord);
    const { partnerId, terminalId, day } = terminalDay;
    if (!dayIsSettled(terminalDay)) plan.undone.push({ kind: "terminalDay", partnerId, terminalId, day });
  }
  return rows;
}

type SubjectOf = ReturnType<typeof commandIn>["subject"];
const commandIn = (row: PlainRow) => fromRow(withoutEtag(row), commandRecord);
const isCommand = ({ rowKey }: PlainRow): boolean => rowKey.startsWith(COMMAND_PREFIX);

/** Removes the commands of changes that came after the subject was read, because these changes are lost. */
const withoutLost = (
  rows: readonly PlainRow[],
  sequenceOf: (subject: SubjectOf) => number | undefined,
): readonly PlainRow[] =>
  rows.filter((row) => {
    if (!isCommand(row)) return true;
    const { subject, state, sequence } = commandIn(row);
    return state === "aborted" || sequence <= (sequenceOf(subject) ?? 0);
  });

/** The identifiers of the subjects with a command that is not carried out. */
const undoneIn = (rows: readonly PlainRow[]): ReadonlySet<string> =>
  new Set(
    rows
      .filter(isCommand)
      .map(commandIn)
      .filter((command) => !isCarriedOut(command))
      .map(({ subject }) =>
        subject.kind === "actionRequest"
          ? subject.actionRequestId
          : subject.kind === "tokenRequest"
            ? subject.requestId
            : "",
      ),
  );
