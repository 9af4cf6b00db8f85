import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import { ownCaptured, refundedAmount } from "../../shared/domain/payment/record/kept-money.ts";
import { isOf as isOfPayment } from "../../shared/domain/payment/requests/duplicate.ts";
import { orderHold, orderOf } from "../../shared/domain/payment/record/order.ts";
import { voucherFate } from "../../shared/domain/payment/life/voucher-use.ts";
import { isGivenBack } from "../../shared/domain/payment/record/charge.ts";
import type { Payment } from "../../shared/domain/payment/record/payment.ts";
import { accessTokensTable } from "../../shared/stores/access-tokens.ts";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import { claimRecord } from "../../shared/domain/terminal.ts";
import { CLAIM_ROW, INBOX_PREFIX } from "../../shared/stores/keys.ts";
import { fromRow } from "../../shared/stores/record.ts";
import { tableNames } from "../../shared/stores/table-names.ts";
import { tablePorts } from "../../shared/stores/stores.ts";
import { eventBody } from "../../shared/use-cases/feed/event-body.ts";
import { names, type Difference } from "../simulation/actors/differences.ts";
import { rowsOf } from "../support/table-access.ts";
import type { ReceivedWebhook } from "../support/webhook-server.ts";
import { booksOf, sumsOf, type Files } from "./books.ts";
import { cardsIn, differences, isMoving } from "./cards.ts";
import { dayOf, type ClosedDay } from "./closings.ts";
import type { Promised } from "./load.ts";
import { isOf, type ShownAlert } from "./operator-judgements.ts";
import { peek, queues, readAll, readSessions, type Session } from "./sessions.ts";
import type { TerminalAction } from "./terminal.ts";

/** Every participant's own log of what happened. */
export interface Evidence {
  readonly promised: readonly Promised[];
  readonly actions: readonly TerminalAction[];
  readonly webhooks: readonly ReceivedWebhook[];
  /** The files of each partner's days, as the partner read them once the platform was quiet. */
  readonly files: readonly Files[];
  /** The terminals' days, once the platform had compared them; empty if it did not become quiet. */
  readonly closedDays: readonly ClosedDay[];
  /** All alerts that were raised, and those that are open. */
  readonly alerts: readonly ShownAlert[];
  readonly openAlerts: readonly ShownAlert[];
  /** Charges that their terminal forgot before it could report them. */
  readonly forgotten: ReadonlySet<string>;
  /** The terminals that fulfil their duties. */
  readonly perfect: ReadonlySet<string>;
  /** The terminals whose power was never cut. */
  readonly polling: ReadonlySet<string>;
}

/** The result of comparing the logs. */
export interface Findings {
  /** Every violated invariant, as a sentence; empty if there is no violation. */
  readonly violations: readonly string[];
  /** The records of each session with a violation, or that still moves although it is late, in lines. */
  readonly stories: readonly (readonly string[])[];
  /** Differences between books and cards that are not the platform's fault, counted by cause. */
  readonly excuses: Readonly<Record<string, number>>;
  /** The run's results, counted. */
  readonly figures: Readonly<Record<string, number>>;
}

/** Compares all logs, once the platform is quiet. */
export async function check(file: StackFile, evidence: Evidence): Promise<Findings> {
  const sessions = await readSessions(file);
  const bySession = new Map(sessions.map((s) => [s.payment.sessionId, s]));
  const lost = evidence.promised
    .filter((p) => !bySession.has(p.sessionID))
    .map((p) => `acknowledged and absent: ${p.sessionID}`);
  const excuses: Record<string, number> = {};
  const linesOf = Map.groupBy(
    evidence.files.flatMap((files) => files.flatMap(({ bookings }) => bookings)),
    ({ sessionID }) => sessionID.toLowerCase(),
  );
  const actionsOf = Map.groupBy(evidence.actions, ({ sessionID }) => sessionID);
  const stories: (readonly string[])[] = [];
  const perSession = sessions.flatMap((s) => {
    const actions = actionsOf.get(s.payment.sessionId) ?? [];
    const wrong = [
      ...amountsOf(s),
      ...booksOf(s, linesOf.get(s.payment.sessionId) ?? [], actions),
      ...historyOf(s),
      ...cardsOf(s, actions, evidence, excuses),
      ...withdrawnOf(s, actions),
      ...webhooksOf(s, evidence.webhooks),
      ...alertsOf(s, evidence.perfect),
      ...expiryOf(s, evidence.polling),
    ];
    const isStuck = evidence.closedDays.length === 0 && isMoving(s.payment);
    if (wrong.length > 0 || isStuck) stories.push(storyOf(s, actions));
    return wrong.map((one) => `${one} (${s.payment.sessionId}, ${s.payment.status})`);
  });
  const committed = new Set(
    sessions.flatMap((s) => s.commands.flatMap((c) => (c.state === "ready" ? [c.commandId] : []))),
  );
  const uncommitted = evidence.actions
    .filter(({ messageID }) => messageID !== undefined && !committed.has(messageID))
    .map((d) => `not committed, yet on the terminal: ${d.messageID}`);
  const violations = [
    ...lost,
    ...perSession,
    ...uncommitted,
    ...evidence.files.flatMap(sumsOf),
    ...daysOf(sessions, evidence),
    ...(await leftAtTerminals(file)),
    ...(await ordersOf(file, sessions)),
    ...(await vouchersOf(file, sessions)),
    ...(await deadLetters(file)),
  ];
  const figures = {
    "terminals' days closed": countOf(evidence.closedDays, "closed"),
    "terminals' days that differ": countOf(evidence.closedDays, "differs"),
    "lines in the accountants' files": evidence.files.flat().flatMap(({ bookings }) => bookings).length,
    "webhooks received": evidence.webhooks.length,
    "charges given back": sessions.flatMap(({ payment }) => payment.charges.filter(isGivenBack)).length,
    "vouchers spent": sessions.flatMap(usesOf).filter(({ fate }) => fate === "spent").length,
    "payments whose terminal was unreachable": sessions.filter(
      ({ payment }) => payment.statusReason === "terminalUnreachable",
    ).length,
    "payments corrected": sessions.filter(({ history }) => history.some(({ event }) => event === "corrected")).length,
  };
  return { violations, stories, excuses, figures };
}

/** The platform's records of a session, and the actions of its terminal and the acquirer. */
const storyOf = ({ payment, history, commands }: Session, actions: readonly TerminalAction[]): string[] => [
  `${payment.sessionId} at terminal ${payment.terminalId}:`,
  JSON.stringify(payment),
  ...history.map((entry) => JSON.stringify(entry)),
  ...commands.map((command) => `command: ${JSON.stringify(command)}`),
  ...actions.map((action) => `terminal: ${JSON.stringify(action)}`),
];

/**
 * Books and cards agree, charge by charge and in total. A difference is allowed if an open alert names it, or if the terminal forgot the
 * charge before it reported it.
 */
function cardsOf(
  { payment }: Session,
  actions: readonly TerminalAction[],
  evidence: Evidence,
  excuses: Record<string, number>,
): string[] {
  return differences(payment, cardsIn(payment.sessionId, actions)).flatMap((difference) => {
    const cause = excuseOf(difference, payment, evidence);
    if (cause === undefined) return [`${difference.rule}: ${difference.detail}`];
    excuses[cause] = (excuses[cause] ?? 0) + 1;
    return [];
  });
}

/** A terminal never got a message that the platform holds for withdrawn. */
function withdrawnOf({ payment, history }: Session, actions: readonly TerminalAction[]): string[] {
  const isWithdrawn = history.some(({ event }) => event === "withdrawnByCancel" || event === "withdrawnByDeadline");
  const taken = payment.refunds.filter(
    ({ statusReason }) => statusReason === "notDelivered" || statusReason === "cancelledByPartner",
  );
  const withdrawn = new Set([...(isWithdrawn ? [payment.requestedBy] : []), ...taken.map((r) => r.commandId)]);
  return actions
    .filter(({ messageID }) => messageID !== undefined && withdrawn.has(messageID))
    .map(({ cause }) => `withdrawn, yet on the terminal: ${cause}`);
}

/** Why a difference is not the platform's fault, as a sentence; undefined if it is the platform's fault. */
function excuseOf(
  difference: Difference,
  payment: Payment,
  { openAlerts, forgotten }: Pick<Evidence, "openAlerts" | "forgotten">,
): string | undefined {
  const named = openAlerts.filter((alert) => isOf(alert, payment));
  const alert = named.find(({ alert: kind, about }) => names({ kind, about }, difference));
  if (alert) return `an open alert names it (${alert.alert})`;
  const isForgotten = difference.of === "unknown charge" && forgotten.has(difference.about);
  return isForgotten ? "its terminal lost its memory before it reported the charge" : undefined;
}

type History = Pick<Session, "history">["history"];

/**
 * Whether the entry reports an overdue doubt, which raises an alert even if no terminal caused it. The last try of a reversal that was only
 * late counts too, if no terminal reported its failure.
 */
const isOfDoubt = ({ event }: History[number], history: History): boolean =>
  event === "doubtOverdue" ||
  event === "reversalOverdue" ||
  (event === "reversalFailed" && history.every((other) => other.event !== "voidFailed"));

/** Whether the terminal contradicts an operator, who may have been mistaken. */
const isOfDecision = ({ by, sequence, alerts = [] }: History[number], history: History): boolean =>
  by === "terminal" &&
  alerts.every(({ kind }) => kind === "contradictingReport") &&
  history.some((other) => other.by === "operator" && other.sequence < sequence);

/** A payment whose terminal made no mistake raises no alert, except for a doubt or against an operator. */
export function alertsOf(
  { payment, history }: { readonly payment: Pick<Payment, "terminalId">; readonly history: History },
  perfect: ReadonlySet<string>,
): string[] {
  if (!perfect.has(payment.terminalId)) return [];
  const called = history.filter((entry) => !isOfDoubt(entry, history) && !isOfDecision(entry, history));
  return called.flatMap(({ event, alerts = [] }) =>
    alerts.map(({ kind }) => `an operator was called (${kind}, by ${event}) for a perfect terminal`),
  );
}

/** A payment whose terminal polled all the time did not end because of the terminal's silence. */
const expiryOf = ({ payment: { statusReason, terminalId } }: Session, polling: ReadonlySet<string>): string[] =>
  statusReason === "terminalUnreachable" && polling.has(terminalId) ? ["expired, though its terminal polled"] : [];

function amountsOf({ payment }: Session): string[] {
  const { amounts } = payment;
  const wrong = [];
  if (Object.values(amounts).some((amount) => amount !== undefined && amount < 0)) wrong.push("a negative amount");
  // Money that an operator left with the merchant was captured in addition to the payment's authorized amount.
  if (ownCaptured(payment) > amounts.authorized) wrong.push("more captured than authorized");
  if (refundedAmount(payment) > amounts.captured) wrong.push("more refunded than captured");
  return wrong;
}

function historyOf({ payment, history }: Session): string[] {
  const gap = history.length !== payment.sequence || history.some((entry, i) => entry.sequence !== i + 1);
  const broken =
    history.some((entry, i) => i > 0 && entry.from !== history[i - 1]?.to) || history.at(-1)?.to !== payment.status;
  const reports = history.flatMap((entry) => entry.reportId ?? []);
  return [
    ...(gap ? ["a gap in the sequence"] : []),
    ...(broken ? ["the history does not replay to the state"] : []),
    ...(new Set(reports).size < reports.length ? ["a report recorded twice"] : []),
  ];
}

/** Compares the terminals' days with the files of their partner. */
function daysOf(sessions: readonly Session[], { closedDays, files, alerts, perfect }: Evidence): string[] {
  const byTerminal = Map.groupBy(sessions, ({ payment }) => payment.terminalId);
  return closedDays.flatMap((one) => {
    const own = byTerminal.get(one.terminalId) ?? [];
    const isPlain =
      perfect.has(one.terminalId) && own.every(({ history }) => history.every(({ by }) => by !== "operator"));
    return dayOf(one, { files: files.flat(), alerts, isPlain });
  });
}

const countOf = (days: readonly ClosedDay[], state: ClosedDay["shown"]["status"]): number =>
  days.filter(({ shown }) => shown.status === state).length;

/** Each committed event was delivered, always with the same content under the same name. */
function webhooksOf({ commands }: Session, received: readonly ReceivedWebhook[]): string[] {
  return commands
    .filter((command) => command.state === "ready")
    .flatMap((command) =>
      command.effects.flatMap((effect) =>
        effect.kind === "webhook" ? [{ eventId: effect.eventId, body: eventBody(command, effect) }] : [],
      ),
    )
    .flatMap(({ eventId, body }) => {
      const deliveries = received.filter((r) => r.webhookId === eventId);
      if (deliveries.length === 0) return [`never delivered: ${eventId}`];
      return deliveries.every((r) => r.body === body) ? [] : [`delivered with different contents: ${eventId}`];
    });
}

const usesOf = ({ payment }: Session) =>
  payment.discounts.flatMap(({ voucherTokenId, discountId }) =>
    voucherTokenId === undefined
      ? []
      : [{ voucherTokenId, sessionId: payment.sessionId, fate: voucherFate(payment, discountId) }],
  );

/** A voucher paid for at most one payment, and is then redeemed. An unused voucher is not held. */
async function vouchersOf(file: StackFile, sessions: readonly Session[]): Promise<string[]> {
  const tokens = accessTokensTable(rowsOf(file, "accessTokens"));
  const byToken = Map.groupBy(sessions.flatMap(usesOf), (use) => use.voucherTokenId);
  const wrong = await Promise.all(
    [...byToken].map(async ([tokenId, uses]): Promise<string[]> => {
      const stored = await tokens.find(tokenId);
      if (!stored) return [`a voucher that is gone: ${tokenId}`];
      const { status, use } = stored.token;
      const spent = uses.filter(({ fate }) => fate === "spent").map(({ sessionId }) => sessionId);
      if (spent.length > 1) return [`a voucher spent ${spent.length} times: ${spent.join(", ")}`];
      if (spent[0] !== undefined && (status !== "redeemed" || use?.sessionId !== spent[0]))
        return [`a voucher that paid for ${spent[0]} and is ${status} for ${use?.sessionId ?? "no payment"}`];
      return spent.length === 0 && status === "redeemed" ? [`a voucher redeemed for nothing: ${tokenId}`] : [];
    }),
  );
  return wrong.flat();
}

/**
 * An order is held by exactly the payments that have its money. The next payment checks the payments that the order's list shows as living.
 */
async function ordersOf(file: StackFile, sessions: readonly Session[]): Promise<string[]> {
  const { orders } = tablePorts(azureTables(file.tables));
  const wrong = await Promise.all(
    sessions.map(async ({ payment }): Promise<string[]> => {
      const { sessionId } = payment;
      const key = orderOf(payment);
      const holders = (key && (await orders.find(key)))?.holders ?? [];
      const listed = holders.find((holder) => isOfPayment(payment, holder))?.hold;
      const holds = orderHold(payment);
      return listed === holds || listed === "living"
        ? []
        : [`an order that is held as ${listed} by one that holds it as ${holds}: ${sessionId}`];
    }),
  );
  return wrong.flat();
}

/** No message is left in an inbox, and no terminal is held any more. */
async function leftAtTerminals(file: StackFile): Promise<string[]> {
  const rows = await readAll(file, tableNames.terminals);
  const messages = rows
    .filter((row) => row.rowKey.startsWith(INBOX_PREFIX))
    .map((row) => `left in an inbox: ${row.rowKey} ${String(row.columns["state"])}`);
  const claims = rows.flatMap((row) => {
    const { holder } = row.rowKey === CLAIM_ROW ? fromRow(row, claimRecord) : {};
    return holder ? [`a terminal that is still held by ${holder.sessionId}: ${row.partitionKey}`] : [];
  });
  return [...messages, ...claims];
}

const deadLetters = (file: StackFile): Promise<string[]> =>
  peek(file, async (client) => {
    const found = await Promise.all(
      queues.map((queue) => client.createReceiver(queue, { subQueueType: "deadLetter" }).peekMessages(10)),
    );
    return found.flat().map((message) => `a dead letter: ${message.deadLetterReason} ${JSON.stringify(message.body)}`);
  });
