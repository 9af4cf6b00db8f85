import { nameOfDay } from "../domain/terminal-day/terminal-day.ts";
import type { Day } from "../domain/time.ts";
import type { Rows } from "../ports/rows.ts";
import type { PartnerSubject, Subject } from "../ports/subjects.ts";
import {
  actionPartition,
  COMMAND_PREFIX,
  part,
  partnerDayPartition,
  paymentPrefix,
  sequenceKey,
  terminalDayPrefix,
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
  /** The parts of its name in the keys of its marks, in the order in which they sort. */
  readonly marked: (subject: Of) => readonly string[];
  /** Its name at the beginning of its events' identifiers. */
  readonly name: (subject: Of) => string;
}
type SubjectTable = "terminals" | "actionRequests" | "landingPages" | "days";
/** The tables that hold subjects. */
export type SubjectTables = Readonly<Record<SubjectTable, Rows>>;

const WEBHOOK_PREFIX = "webhook~";
const commandsWithin = (name: string): string => `${COMMAND_PREFIX}${part(name)}~`;

const subjectRows: { readonly [Kind in Subject["kind"]]: SubjectRows<Extract<Subject, { readonly kind: Kind }>> } = {
  payment: {
    table: "terminals",
    partition: ({ terminalId }) => terminalPartition(terminalId),
    commands: (key) => paymentPrefix(key) + COMMAND_PREFIX,
    webhooks: (key) => paymentPrefix(key) + WEBHOOK_PREFIX,
    marked: ({ sessionId }) => [sessionId],
    name: ({ sessionId }) => sessionId,
  },
  actionRequest: {
    table: "actionRequests",
    partition: ({ partnerId }) => actionPartition(partnerId),
    commands: ({ actionRequestId }) => commandsWithin(actionRequestId),
    webhooks: () => WEBHOOK_PREFIX,
    marked: ({ actionRequestId }) => [actionRequestId],
    name: ({ actionRequestId }) => actionRequestId,
  },
  tokenRequest: {
    table: "landingPages",
    partition: ({ landingPageId }) => landingPagePartition(landingPageId),
    commands: ({ requestId }) => commandsWithin(requestId),
    webhooks: () => WEBHOOK_PREFIX,
    marked: ({ createdAt, requestId }) => [createdAt, requestId],
    name: ({ requestId }) => requestId,
  },
  terminalDay: {
    table: "terminals",
    partition: ({ terminalId }) => terminalPartition(terminalId),
    commands: ({ day }) => terminalDayPrefix(day) + COMMAND_PREFIX,
    webhooks: ({ day }) => terminalDayPrefix(day) + WEBHOOK_PREFIX,
    marked: ({ day }) => [day],
    name: nameOfDay,
  },
  partnerDay: {
    table: "days",
    partition: ({ partnerId, day }) => partnerDayPartition(partnerId, day),
    commands: () => COMMAND_PREFIX,
    webhooks: () => WEBHOOK_PREFIX,
    marked: ({ day }) => [day],
    name: ({ day }) => day,
  },
};

const rowsOf = ({ kind }: Subject) => subjectRows[kind] as SubjectRows<Subject>;

/** The table and the partition of a subject. */
export const locate = (tables: SubjectTables, subject: Subject): readonly [Rows, string] => {
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

/** Marks the subject as open: it has not ended, or a command of it is not carried out. */
export const OPEN_PREFIX = "open~";
export const openRow = (subject: Subject): string => `${openPrefix(subject)}now`;
export const openCommandRow = (subject: Subject, commandId: string): string =>
  `${openPrefix(subject)}${COMMAND_PREFIX}${part(commandId)}`;
const openPrefix = (subject: Subject): string => `${OPEN_PREFIX}${subject.kind}~${markedName(subject)}~`;
/** Marks the subject as changed on a day. */
export const CHANGED_PREFIX = "changed~";
export const changedPrefix = (kind: Subject["kind"], day?: Day): string =>
  `${CHANGED_PREFIX}${kind}~${day === undefined ? "" : `${part(day)}~`}`;
export const changedRow = (subject: Subject, day: Day): string =>
  changedPrefix(subject.kind, day) + markedName(subject);
const markedName = (subject: Subject): string => rowsOf(subject).marked(subject).map(part).join("~");
