import * as plainKeys from "../../../shared/stores/keys.ts";
import * as subjectKeys from "../../../shared/stores/subject-rows.ts";
import * as tokenKeys from "../../../shared/stores/token-keys.ts";
import type { Booking } from "../../../shared/domain/booking.ts";
import type { AlertIdentity } from "../../../shared/domain/alert.ts";
import type { Subject } from "../../../shared/ports/subjects.ts";

const keys = { ...plainKeys, ...subjectKeys };

const payment = {
  kind: "payment",
  partnerId: ":partnerId",
  terminalId: ":terminalId",
  sessionId: ":sessionId",
} as const;
const action = { kind: "actionRequest", partnerId: ":partnerId", actionRequestId: ":actionRequestId" } as const;
const createdAt = "2026-11-21T10:00:00.000Z";
const token = { kind: "tokenRequest", landingPageId: ":landingPageId", requestId: ":requestId", createdAt } as const;
const terminalDay = {
  kind: "terminalDay",
  partnerId: ":partnerId",
  terminalId: ":terminalId",
  day: "2026-11-21",
} as const;
const subjects: readonly Subject[] = [payment, action, token, terminalDay];
const slot = { createdAt, sessionId: ":sessionId", sequence: 7 };
const order = { merchantId: ":merchantId", orderId: "an order", currency: "SEK", amount: 12_550 };
const kind = "orphanReport";
const alerts: readonly AlertIdentity[] = [
  { subject: payment, kind, about: ":about" },
  { subject: { kind: "terminal", partnerId: ":partnerId", terminalId: ":terminalId", day: "2026-11-21" }, kind },
  { subject: { kind: "platform" }, kind },
];

const booking: Booking = {
  partnerId: ":partnerId",
  terminalId: ":terminalId",
  merchantId: ":merchantId",
  sessionId: ":sessionId",
  asReceived: { sessionId: ":sessionId", merchantId: ":merchantId", terminalId: ":terminalId" },
  sequence: 7,
  number: 1,
  businessDay: "2026-11-21",
  kind: "capture",
  direction: "credit",
  amount: 12_550,
  currency: "SEK",
  at: createdAt,
};

type Make = (...args: never[]) => unknown;
const each = <T>(of: readonly T[], make: (one: T) => string): readonly string[] => of.map(make);

/** The form of each key of a row or a partition, by the name of its function. */
const samples: Readonly<Record<string, readonly string[]>> = {
  paymentPrefix: [keys.paymentPrefix(payment)],
  paymentPrefixIn: [keys.paymentPrefixIn(keys.paymentRow(payment)) ?? ""],
  paymentRow: [keys.paymentRow(payment)],
  commandsPrefix: each(subjects, keys.commandsPrefix),
  commandRow: each(subjects, (subject) => keys.commandRow(subject, ":commandId")),
  historyPrefix: [keys.historyPrefix(payment)],
  historyRow: [keys.historyRow(payment, 7)],
  webhooksPrefix: each([payment, action, terminalDay], keys.webhooksPrefix),
  webhookPrefix: each([payment, action, terminalDay], (subject) => keys.webhookPrefix(subject, ":eventId")),
  webhookRow: each([payment, action, terminalDay], (subject) => keys.webhookRow(subject, ":eventId", 7)),
  receiptsBefore: [keys.receiptsBefore("2026-11-21")],
  receiptRow: [keys.receiptRow(payment, { at: createdAt, sequence: 7 })],
  reportRow: [keys.reportRow(payment, ":reportId")],
  terminalPartition: [keys.terminalPartition(":terminalId")],
  inboxRow: [keys.inboxRow(slot)],
  holdRow: [keys.holdRow(slot)],
  filedRow: [keys.filedRow(slot)],
  inboxPrefix: [keys.inboxPrefix(slot)],
  filedPrefix: [keys.filedPrefix(slot)],
  actionPartition: [keys.actionPartition(":partnerId")],
  actionRow: [keys.actionRow(":actionRequestId")],
  pendingRow: [keys.pendingRow(":actionRequestId")],
  terminalDayRow: [keys.terminalDayRow("2026-11-21")],
  terminalDayPrefix: [keys.terminalDayPrefix("2026-11-21")],
  closingRow: [keys.closingRow("2026-11-21", ":closingId")],
  listedPageRow: [tokenKeys.listedPageRow(":landingPageId")],
  landingPagePartition: [tokenKeys.landingPagePartition(":landingPageId")],
  tokenRequestsAt: [tokenKeys.tokenRequestsAt(createdAt)],
  tokenRequestRow: [tokenKeys.tokenRequestRow(token)],
  sameRequestRow: [tokenKeys.sameRequestRow(3, ":addressKey")],
  accessTokenPartition: [tokenKeys.accessTokenPartition(":tokenId")],
  countPartition: [tokenKeys.countPartition(":countKey")],
  issuancePartition: [tokenKeys.issuancePartition(":templateId")],
  issuanceShardRow: [tokenKeys.issuanceShardRow(7)],
  codePartition: [tokenKeys.codePartition(":codeHash")],
  addressPartition: [tokenKeys.addressPartition(":addressKey")],
  addressRequestRow: [tokenKeys.addressRequestRow(token)],
  codeKeyDayRow: [tokenKeys.codeKeyDayRow(":codeKeyId", "2026-11-21")],
  codeExtensionRow: [tokenKeys.codeExtensionRow(":codeKeyId", "2026-11-21")],
  mailTroubleRow: [tokenKeys.mailTroubleRow(":templateId")],
  templateLookRow: [tokenKeys.templateLookRow(":templateId")],
  templateRow: [tokenKeys.templateRow(":templateId")],
  idempotencyRow: [keys.idempotencyRow(":hash")],
  idempotencyDayRow: [keys.idempotencyDayRow("2026-11-21", ":hash")],
  orderPartition: [keys.orderPartition(order)],
  orderRow: [keys.orderRow(order)],
  bookingsPrefix: [keys.bookingsPrefix("2026-11-21")],
  bookingRow: [keys.bookingRow(booking)],
  lateBookingsPrefix: [keys.lateBookingsPrefix("2026-11-21")],
  lateBookingRow: [keys.lateBookingRow(booking)],
  partnerDayPartition: [keys.partnerDayPartition(":partnerId", "2026-11-21")],
  listedDayRow: [keys.listedDayRow({ partnerId: ":partnerId", day: "2026-11-21" })],
  openDayRow: [keys.openDayRow({ partnerId: ":partnerId", day: "2026-11-21" })],
  placeInFile: [keys.placeInFile(booking)],
  dayTerminalRow: [keys.dayTerminalRow(":terminalId")],
  partnerPartition: [keys.partnerPartition(":partnerId")],
  ownedTerminalRow: [keys.ownedTerminalRow(":terminalId")],
  ownedKeyRow: [keys.ownedKeyRow(":keyId")],
  listedPartnerRow: [keys.listedPartnerRow(":partnerId")],
  apiKeyPartition: [keys.apiKeyPartition(":keyId")],
  actionsPartition: [keys.actionsPartition("2026-11")],
  operatorActionRow: [keys.operatorActionRow({ at: createdAt, actionId: ":actionId" })],
  alertsPrefix: [keys.alertsPrefix(":name")],
  alertRow: each(alerts, keys.alertRow),
  openAlertRow: each(alerts, keys.openAlertRow),
  ringerRow: [keys.ringerRow(":ringer")],
  feedPartition: [keys.feedPartition(":partnerId")],
  feedEventRow: [keys.feedEventRow(7)],
  feedMarkRow: [keys.feedMarkRow(":commandId")],
  sessionsPartition: [keys.sessionsPartition(":partnerId")],
  sessionRow: [keys.sessionRow(":sessionId")],
  createdRow: [keys.createdRow({ createdAt, sessionId: ":sessionId", requestedBy: ":commandId" })],
  openRow: each(subjects, keys.openRow),
  openCommandRow: each(subjects, (subject) => keys.openCommandRow(subject, ":commandId")),
  changedPrefix: each(subjects, ({ kind }) => keys.changedPrefix(kind, "2026-11-21")),
  changedRow: each(subjects, (subject) => keys.changedRow(subject, "2026-11-21")),
};

/** Not keys themselves. */
const others = new Set(["part", "sequenceKey", "locate"]);

/** Every key that `keys.ts` makes, for subjects whose identifiers are placeholders (`:sessionId`). Throws if a function has no sample. */
export function rowKeys(): readonly string[] {
  const makers = Object.entries({ ...keys, ...tokenKeys } as Readonly<Record<string, string | Make>>);
  const made = makers
    .filter(([maker]) => !others.has(maker))
    .flatMap(([maker, key]) => {
      const found = typeof key === "string" ? [key] : samples[maker];
      if (!found) throw new Error(`no sample of ${maker}`);
      return found;
    });
  return [...new Set(made)].toSorted();
}
