import { createHash } from "node:crypto";
import { nameOfDay } from "../domain/terminal-day/terminal-day.ts";
import type { Day } from "../domain/time.ts";
import type { Rows } from "../ports/rows.ts";
import type { PartnerSubject, Subject } from "../ports/subjects.ts";
import {
  actionPartition,
  COMMAND_PREFIX,
  part,
  paymentPrefix,
  sequenceKey,
  terminalDayPartition,
  terminalPartition,
} from "./keys.ts";
import { landingPagePartition } from "./token-keys.ts";

/** The place of a subject's rows. */
interface SubjectRows<Of> {
  readonly table: SubjectTable;
  readonly partition: (subject: Of) => string;
  /** The prefix of its commands, which distinguishes it from others in its partition. */
  readonly commands: (subject: Of) => string;
  /** The prefix of its attempts to deliver webhooks. Each is followed by the event's identifier, which begins with the subject's name. */
  readonly webhooks: (subject: Of) => string;
  /** The parts of its key in the lists, in the order in which they sort. */
  readonly listed: (subject: Of) => readonly string[];
  /** Its name at the beginning of its events' identifiers. */
  readonly name: (subject: Of) => string;
}
type SubjectTable = "terminals" | "actionRequests" | "landingPages" | "terminalDays";

const WEBHOOK_PREFIX = "webhook~";
const commandsWithin = (name: string): string => `${COMMAND_PREFIX}${part(name)}~`;

const subjectRows: { readonly [Kind in Subject["kind"]]: SubjectRows<Extract<Subject, { readonly kind: Kind }>> } = {
  payment: {
    table: "terminals",
    partition: ({ terminalId }) => terminalPartition(terminalId),
    commands: (key) => paymentPrefix(key) + COMMAND_PREFIX,
    webhooks: (key) => paymentPrefix(key) + WEBHOOK_PREFIX,
    listed: ({ partnerId, sessionId, terminalId }) => [partnerId, sessionId, terminalId],
    name: ({ sessionId }) => sessionId,
  },
  actionRequest: {
    table: "actionRequests",
    partition: ({ partnerId }) => actionPartition(partnerId),
    commands: ({ actionRequestId }) => commandsWithin(actionRequestId),
    webhooks: () => WEBHOOK_PREFIX,
    listed: ({ partnerId, actionRequestId }) => [partnerId, actionRequestId],
    name: ({ actionRequestId }) => actionRequestId,
  },
  tokenRequest: {
    table: "landingPages",
    partition: ({ landingPageId }) => landingPagePartition(landingPageId),
    commands: ({ requestId }) => commandsWithin(requestId),
    webhooks: () => WEBHOOK_PREFIX,
    listed: ({ landingPageId, createdAt, requestId }) => [landingPageId, createdAt, requestId],
    name: ({ requestId }) => requestId,
  },
  terminalDay: {
    table: "terminalDays",
    partition: terminalDayPartition,
    commands: ({ terminalId }) => commandsWithin(terminalId),
    webhooks: () => WEBHOOK_PREFIX,
    listed: ({ partnerId, day, terminalId }) => [partnerId, day, terminalId],
    name: nameOfDay,
  },
};

const rowsOf = ({ kind }: Subject) => subjectRows[kind] as SubjectRows<Subject>;

/** The table and the partition of a subject. */
export const locate = (tables: Readonly<Record<SubjectTable, Rows>>, subject: Subject): readonly [Rows, string] => {
  const { table, partition } = rowsOf(subject);
  return [tables[table], partition(subject)];
};

export const commandsPrefix = (subject: Subject): string => rowsOf(subject).commands(subject);
export const commandRow = (subject: Subject, commandId: string): string =>
  `${commandsPrefix(subject)}${part(commandId)}`;

/** An event's identifier begins with its subject's name. */
export const webhooksPrefix = (subject: PartnerSubject): string =>
  `${rowsOf(subject).webhooks(subject)}${part(rowsOf(subject).name(subject))}_`;
export const webhookPrefix = (subject: Subject, eventId: string): string =>
  `${rowsOf(subject).webhooks(subject)}${part(eventId)}~`;
export const webhookRow = (subject: Subject, eventId: string, attempt: number): string =>
  `${webhookPrefix(subject, eventId)}${sequenceKey(attempt)}`;

/** Lists are read whole. Each is spread over this number of partitions, which are written and read in parallel. */
const LISTING_SHARDS = 16;
export const listingShards: readonly number[] = Array.from({ length: LISTING_SHARDS }, (_, shard) => shard);
export const listPartition = (shard: number): string => `list~${shard}`;
export const listingShardOf = (subject: Subject): number =>
  createHash("sha256").update(openListRow(subject)).digest().readUInt8(0) % LISTING_SHARDS;
export const DAY_LIST_PREFIX = "day~";
export const dayListPrefix = (day: Day, kind: Subject["kind"]): string => `${DAY_LIST_PREFIX}${part(day)}~${kind}~`;
/** The entries of one partner's payments under a day. */
export const paymentsOfDayPrefix = (day: Day, partnerId: string): string =>
  `${dayListPrefix(day, "payment")}${part(partnerId)}~`;
export const dayListRow = (day: Day, subject: Subject): string =>
  dayListPrefix(day, subject.kind) + subjectKey(subject);
export const OPEN_LIST_PREFIX = "open~";
export const openListPrefix = (kind?: Subject["kind"]): string =>
  kind === undefined ? OPEN_LIST_PREFIX : `${OPEN_LIST_PREFIX}${kind}~`;
export const openListRow = (subject: Subject): string => openListPrefix(subject.kind) + subjectKey(subject);
const subjectKey = (subject: Subject): string => rowsOf(subject).listed(subject).map(part).join("~");
