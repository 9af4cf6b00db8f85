import { TableClient } from "@azure/data-tables";
import { ServiceBusClient } from "@azure/service-bus";
import { workers } from "../../functions/workers.ts";
import type { StackFile } from "../../infra/local/stack.ts";
import { effectId } from "../../shared/domain/effects.ts";
import { voucherFate } from "../../shared/domain/payment/voucher-use.ts";
import {
  holdsTerminal,
  isFinal,
  isGivenBack,
  paymentRecord,
  refundedAmount,
  type Payment,
} from "../../shared/domain/payment/payment.ts";
import { commandRecord } from "../../shared/ports/commands.ts";
import { recordedEntryRecord, type RecordedEntry } from "../../shared/ports/payments.ts";
import { accessTokensTable } from "../../shared/tables/access-tokens-table.ts";
import { toRow } from "../../shared/tables/azure-rows.ts";
import { CLAIM_ROW, COMMAND_PREFIX, HISTORY_PREFIX, INBOX_PREFIX, SESSION_ROW } from "../../shared/tables/keys.ts";
import { fromRow } from "../../shared/tables/record.ts";
import type { Row } from "../../shared/tables/rows.ts";
import { eventBody } from "../../shared/use-cases/webhooks/event-body.ts";
import { tableNames } from "../../shared/tables/table-names.ts";
import { rowsOf } from "../support/table-access.ts";
import type { ReceivedWebhook } from "../support/webhook-server.ts";
import { cardsOf, unbooked } from "./cards.ts";
import type { Deed, Promised } from "./load.ts";

/** What everybody says happened, each in their own log. */
export interface Evidence {
  readonly promised: readonly Promised[];
  readonly deeds: readonly Deed[];
  readonly webhooks: readonly ReceivedWebhook[];
}

type Command = ReturnType<typeof commandRecord.parse>;
interface Session {
  readonly payment: Payment;
  readonly history: readonly RecordedEntry[];
  readonly commands: readonly Command[];
}

const queues = workers.map(({ name }) => name);

/** Everything the tables hold of payments, read past the app. */
async function readSessions(file: StackFile): Promise<Session[]> {
  const partitions = Map.groupBy(await readAll(file, tableNames.payments), (row) => row.partitionKey);
  return [...partitions.values()].flatMap((rows): Session[] => {
    const session = rows.find((row) => row.rowKey === SESSION_ROW && row.columns["status"] !== "fence");
    if (!session) return [];
    const of = (prefix: string) => rows.filter((row) => row.rowKey.startsWith(prefix));
    return [
      {
        payment: fromRow(session, paymentRecord),
        history: of(HISTORY_PREFIX).map((row) => fromRow(row, recordedEntryRecord)),
        commands: of(COMMAND_PREFIX).map((row) => fromRow(row, commandRecord)),
      },
    ];
  });
}

async function readAll(file: StackFile, table: string): Promise<Row[]> {
  const client = TableClient.fromConnectionString(file.tables, table, { allowInsecureConnection: true });
  const rows: Row[] = [];
  for await (const entity of client.listEntities()) rows.push(toRow(entity));
  return rows;
}

/** What still moves: undefined once everything is quiet, else a sentence. */
export async function notQuiet(file: StackFile, deeds: readonly Deed[]): Promise<string | undefined> {
  const sessions = await readSessions(file);
  const moving = sessions.filter(({ payment }) => !isFinal(payment.status) && payment.status !== "authorized");
  if (moving.length > 0)
    return `${moving.length} payments are still ${[...new Set(moving.map((s) => s.payment.status))].join(", ")}`;
  const reversing = sessions.flatMap(({ payment }) => payment.charges.filter(({ status }) => status === "reversing"));
  if (reversing.length > 0) return `${reversing.length} charges are still on their way back`;
  const toTell = sessions.flatMap(({ payment }) => unbooked(payment, deedsOf(payment, deeds)));
  if (toTell.length > 0) return `${toTell.length} charges are not in the books yet`;
  const undone = sessions.flatMap(({ commands }) => commands.flatMap(undoneEffects));
  if (undone.length > 0) return `${undone.length} effects are still to be carried out (${undone[0]})`;
  const waiting = await messagesWaiting(file);
  return waiting > 0 ? `${waiting} messages are still in the queues` : undefined;
}

const deedsOf = ({ sessionId }: Payment, deeds: readonly Deed[]) =>
  deeds.filter((deed) => deed.sessionID === sessionId);

/** Deadlines to come are the one thing that may remain. */
const undoneEffects = ({ state, effects, done }: Command): string[] =>
  state === "ready" ? effects.map(effectId).filter((id) => !done.includes(id) && !id.startsWith("deadline~")) : [];

async function messagesWaiting(file: StackFile): Promise<number> {
  return peek(file, async (client) => {
    const found = await Promise.all(queues.map((queue) => client.createReceiver(queue).peekMessages(100)));
    return found.flat().filter((message) => message.state === "active").length;
  });
}

async function peek<T>(file: StackFile, look: (client: ServiceBusClient) => Promise<T>): Promise<T> {
  const client = new ServiceBusClient(file.serviceBus);
  try {
    return await look(client);
  } finally {
    await client.close();
  }
}

/** Every invariant that does not hold, as sentences; none where all is well. */
export async function violations(file: StackFile, evidence: Evidence): Promise<string[]> {
  const sessions = await readSessions(file);
  const bySession = new Map(sessions.map((s) => [s.payment.sessionId, s]));
  const lost = evidence.promised
    .filter((p) => !bySession.has(p.sessionID))
    .map((p) => `acknowledged and absent: ${p.sessionID}`);
  const perSession = sessions.flatMap((s) => {
    const deeds = deedsOf(s.payment, evidence.deeds);
    return [...booksOf(s), ...historyOf(s), ...cardsOf(s.payment, deeds), ...webhooksOf(s, evidence.webhooks)].map(
      (wrong) => `${wrong} (${s.payment.sessionId}, ${s.payment.status})`,
    );
  });
  const committed = new Set(
    sessions.flatMap((s) => s.commands.flatMap((c) => (c.state === "ready" ? [c.commandId] : []))),
  );
  const uncommitted = evidence.deeds
    .filter((deed) => !committed.has(deed.messageID))
    .map((d) => `not committed, yet on the terminal: ${d.messageID}`);
  return [
    ...lost,
    ...perSession,
    ...uncommitted,
    ...(await terminalsOf(file, bySession)),
    ...(await vouchersOf(file, sessions)),
    ...(await deadLetters(file)),
  ];
}

function booksOf({ payment }: Session): string[] {
  const { amounts } = payment;
  const wrong = [];
  if (Object.values(amounts).some((amount) => amount !== undefined && amount < 0)) wrong.push("a negative amount");
  if (amounts.captured > amounts.authorized) wrong.push("more captured than authorized");
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

/** Each event committed was told, always in the same words under the same name. */
function webhooksOf({ commands }: Session, received: readonly ReceivedWebhook[]): string[] {
  return commands
    .filter((command) => command.state === "ready")
    .flatMap((command) =>
      command.effects.flatMap((effect) =>
        effect.kind === "webhook" ? [{ eventId: effect.eventId, body: eventBody(command, effect) }] : [],
      ),
    )
    .flatMap(({ eventId, body }) => {
      const told = received.filter((r) => r.webhookId === eventId);
      if (told.length === 0) return [`never told: ${eventId}`];
      return told.every((r) => r.body === body) ? [] : [`told in different words: ${eventId}`];
    });
}

/** How many charges were given back. */
export const chargesGivenBack = async (file: StackFile): Promise<number> =>
  (await readSessions(file)).flatMap(({ payment }) => payment.charges.filter(isGivenBack)).length;

/** How many vouchers paid for something. */
export const spentVouchers = async (file: StackFile): Promise<number> =>
  (await readSessions(file)).flatMap(usesOf).filter(({ fate }) => fate === "spent").length;

const usesOf = ({ payment }: Session) =>
  payment.discounts.flatMap(({ voucherTokenId, discountId }) =>
    voucherTokenId === undefined
      ? []
      : [{ voucherTokenId, sessionId: payment.sessionId, fate: voucherFate(payment, discountId) }],
  );

/** A voucher paid for one payment at most, and then is redeemed; one that paid for nothing is in nobody's hands. */
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
        return [`a voucher that paid for ${spent[0]} and is ${status} for ${use?.sessionId ?? "nobody"}`];
      return spent.length === 0 && status === "redeemed" ? [`a voucher redeemed for nothing: ${tokenId}`] : [];
    }),
  );
  return wrong.flat();
}

async function terminalsOf(file: StackFile, sessions: ReadonlyMap<string, Session>): Promise<string[]> {
  const rows = await readAll(file, tableNames.terminals);
  const claimed = rows
    .filter((row) => row.rowKey === CLAIM_ROW)
    .filter((row) => {
      const holder = sessions.get((JSON.parse(String(row.columns["data0"])) as { sessionId: string }).sessionId);
      return !holder || !holdsTerminal(holder.payment.status);
    });
  const left = rows.filter((row) => row.rowKey.startsWith(INBOX_PREFIX));
  return [
    ...claimed.map((row) => `claimed by a session that is over: terminal ${row.partitionKey}`),
    ...left.map((row) => `left in an inbox: ${row.rowKey} ${String(row.columns["state"])}`),
  ];
}

const deadLetters = (file: StackFile): Promise<string[]> =>
  peek(file, async (client) => {
    const found = await Promise.all(
      queues.map((queue) => client.createReceiver(queue, { subQueueType: "deadLetter" }).peekMessages(10)),
    );
    return found.flat().map((message) => `a dead letter: ${message.deadLetterReason} ${JSON.stringify(message.body)}`);
  });
