import * as z from "zod";
import { alertKinds } from "./alert-kinds.ts";
import { orphanReportRecord, type OrphanReport } from "./orphan-report.ts";
import type { RecordOf } from "./record.ts";
import { storableText } from "./texts.ts";
import { day, instant, later, type Instant } from "./time.ts";

export type AlertKind = keyof typeof alertKinds;
/** Kinds that are raised without a change of a payment. */
const bareKinds = [
  "orphanReport",
  "cardNumberReported",
  "deadLetter",
  "dependencyAway",
  "mailsFailing",
  "tokenLimitNear",
  "keyEndsSoon",
  "unreadablePayment",
] as const satisfies AlertKind[];
/** Kinds that a change of a terminal's day raises. */
const dayKinds = ["dayDiffers", "dayMissing"] as const satisfies AlertKind[];
export type PaymentAlertKind = Exclude<AlertKind, (typeof bareKinds)[number] | (typeof dayKinds)[number]>;

const alertKind = z.enum(Object.keys(alertKinds) as [AlertKind, ...AlertKind[]]);
const changeAlertKind = alertKind.exclude(bareKinds);
const paymentAlertKind = changeAlertKind.exclude(dayKinds);
export const isAlertKind = (word: string): word is AlertKind => alertKind.safeParse(word).success;

/** An alert, as a change of a payment or of a terminal's day raises it. */
export const raisedAlertShape = {
  alert: changeAlertKind,
  /** The refund or charge that the alert is about. Undefined if it is about the payment. */
  about: z.string().optional(),
  detail: z.string().optional(),
};
/** An alert that a change of a payment raises. */
export interface RaisedAlert extends Omit<RecordOf<z.ZodObject<typeof raisedAlertShape>>, "alert"> {
  readonly alert: PaymentAlertKind;
}

/** An alert, as the payment's history names it. */
export const namedAlertRecord = z.object({ kind: paymentAlertKind, about: z.string().optional() });

/** The most characters that are kept of a terminal's free text, which has no limit of its own. */
const MAX_DETAIL = 256;

/** An alert as it is stored. `about` is part of its identity, so it is in lower case. */
export const storableAlert = ({ alert, about, detail }: RaisedAlert): RaisedAlert => ({
  alert,
  about: about?.toLowerCase(),
  detail: detail === undefined ? undefined : storableDetail(detail),
});

export const storableDetail = (detail: string): string => storableText(detail, MAX_DETAIL);

/** The subject of an alert: a payment, a terminal on one UTC day (`2026-11-21`), or the platform itself. */
const alertSubjectRecord = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("payment"), partnerId: z.string(), terminalId: z.string(), sessionId: z.string() }),
  z.object({ kind: z.literal("terminal"), partnerId: z.string(), terminalId: z.string(), day }),
  z.object({ kind: z.literal("platform") }),
]);
export type AlertSubject = RecordOf<typeof alertSubjectRecord>;

/** The name under which an operator finds a subject's alerts: the identifier of the session or the terminal, or `platform`. */
export function nameOfSubject(subject: AlertSubject): string {
  switch (subject.kind) {
    case "payment":
      return subject.sessionId;
    case "terminal":
      return subject.terminalId;
    case "platform":
      return subject.kind;
  }
}

/** Whether the alert's subject is this payment. The partner counts too, since another partner's session may have the same name. */
export const isOfPayment = (
  { subject }: Pick<Alert, "subject">,
  { partnerId, sessionId }: { readonly partnerId: string; readonly sessionId: string },
): boolean => subject.kind === "payment" && subject.partnerId === partnerId && subject.sessionId === sessionId;

/** An operator's decision on an alert. */
const decisionRecord = z.object({ by: z.string(), why: z.string(), at: instant });

/** All alerts of one kind about one thing, in one record, however often they are raised. */
export const alertRecord = z.object({
  subject: alertSubjectRecord,
  kind: alertKind,
  about: z.string().optional(),
  status: z.enum(["open", "closed"]),
  /** The detail of the latest cause that has one. */
  detail: z.string().optional(),
  count: z.int(),
  firstAt: instant,
  lastAt: instant,
  /** The latest changes that raised it, by their sequences in the payment's history, in rising order. */
  raisedBy: z.array(z.int()),
  /** Every change up to this sequence is counted, and no longer listed in `raisedBy`. */
  countedUpTo: z.int(),
  /** The identifiers of the latest causes that are not changes of a payment, in the order in which they were counted. */
  causes: z.array(z.string()),
  /** The reports among the causes. A full list keeps the first reports. A new report replaces only a report that an operator has seen. */
  reports: z.array(orphanReportRecord),
  /** How many of `reports` were listed when the alert was last closed. */
  reportsSeen: z.int(),
  /** The operators who closed it, and why. The latest comes last. */
  closings: z.array(decisionRecord),
  /** The operators who opened it again, and why. The latest comes last. Absent if none did. */
  reopenings: z.array(decisionRecord).optional(),
});
export interface Alert extends RecordOf<typeof alertRecord> {}
export type AlertIdentity = Pick<Alert, "subject" | "kind" | "about">;
export type Closing = Alert["closings"][number];

/**
 * A cause of an alert, which counts once. A change of the payment is named by its sequence. Any other cause is named by its own identifier.
 */
export interface Raising {
  readonly by: { readonly sequence: number } | { readonly cause: string };
  readonly at: Instant;
  readonly detail?: string | undefined;
  readonly report?: OrphanReport | undefined;
  /** Whether this cause ends what the alert is about. */
  readonly isEnd?: boolean | undefined;
}

/** Bounds on the lists of one row. */
const MAX_LISTED = 100;
const MAX_CLOSINGS = 20;
/** The most reports that are kept of one terminal in a day: some forty thousand characters. */
const MAX_REPORTS = 20;

/**
 * Counts a cause of an alert, and reopens a closed alert. The end of a cause leaves it closed. Undefined if the cause was counted before. A
 * payment's change that is older than the hundred latest is taken as counted before, since those raised the alert. Any other cause is
 * recognised while it is among the hundred latest.
 */
export function raiseAlert(identity: AlertIdentity, known: Alert | undefined, raising: Raising): Alert | undefined {
  const { by, at, detail, isEnd = false } = raising;
  const alert = known ?? unraised(identity, raising);
  const counted = "sequence" in by ? countChange(alert, by.sequence) : countCause(alert, by.cause, raising.report);
  if (!counted) return undefined;
  return {
    ...alert,
    ...counted.listed,
    status: isEnd ? alert.status : "open",
    detail: counted.isLatest ? (detail ?? alert.detail) : (alert.detail ?? detail),
    count: alert.count + 1,
    firstAt: at < alert.firstAt ? at : alert.firstAt,
    lastAt: later(at, alert.lastAt),
  };
}

interface Counted {
  readonly listed: Partial<Alert>;
  /** Whether no counted cause is later than this one. */
  readonly isLatest: boolean;
}

function countChange(alert: Alert, sequence: number): Counted | undefined {
  if (sequence <= alert.countedUpTo || alert.raisedBy.includes(sequence)) return undefined;
  const raisedBy = [...alert.raisedBy, sequence].toSorted((a, b) => a - b);
  return {
    listed: {
      raisedBy: raisedBy.slice(-MAX_LISTED),
      countedUpTo: raisedBy.at(-MAX_LISTED - 1) ?? alert.countedUpTo,
    },
    isLatest: raisedBy.at(-1) === sequence,
  };
}

function countCause(alert: Alert, cause: string, report: OrphanReport | undefined): Counted | undefined {
  if (alert.causes.includes(cause)) return undefined;
  const causes = [...alert.causes, cause].slice(-MAX_LISTED);
  return { listed: { causes, ...(report && keepReport(alert, report)) }, isLatest: true };
}

/** In a full list, a report replaces a report that an operator has seen. If the operator has seen none, the new report is only counted. */
function keepReport({ reports, reportsSeen }: Alert, report: OrphanReport): Partial<Alert> {
  if (reports.length < MAX_REPORTS) return { reports: [...reports, report] };
  if (reportsSeen === 0) return {};
  return { reports: [...reports.slice(1), report], reportsSeen: reportsSeen - 1 };
}

const unraised = ({ subject, kind, about }: AlertIdentity, { at, detail }: Raising): Alert => ({
  subject,
  kind,
  about,
  status: "open",
  detail,
  count: 0,
  firstAt: at,
  lastAt: at,
  raisedBy: [],
  countedUpTo: 0,
  causes: [],
  reports: [],
  reportsSeen: 0,
  closings: [],
});

/** Closes an open alert. Undefined if it is already closed. */
export function closeAlert(alert: Alert, closing: Closing): Alert | undefined {
  if (alert.status === "closed") return undefined;
  const closings = [...alert.closings, closing].slice(-MAX_CLOSINGS);
  return { ...alert, status: "closed", reportsSeen: alert.reports.length, closings };
}

/**
 * Opens a closed alert again, so that its payment can be corrected. It counts no cause, and nobody is called: an operator did it. Undefined
 * if it is open.
 */
export function reopenAlert(alert: Alert, reopening: Closing): Alert | undefined {
  if (alert.status === "open") return undefined;
  return { ...alert, status: "open", reopenings: [...(alert.reopenings ?? []), reopening].slice(-MAX_CLOSINGS) };
}

/** The time when an operator last opened it again. Empty, and so before every time, if none did. */
export const reopenedAt = ({ reopenings }: Alert): Instant => reopenings?.at(-1)?.at ?? "";
