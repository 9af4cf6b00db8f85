import type * as z from "zod";
import type { Alert, AlertSubject } from "../../../shared/domain/alert.ts";
import type { OrphanReport } from "../../../shared/domain/orphan-report.ts";
import type { BareAlert } from "../../../shared/ports/bare-alerts.ts";
import type { RecordedReport } from "../../../shared/domain/payment/reports/answered.ts";
import type { Said } from "../../../shared/domain/payment/record/said.ts";

import type { OrderHolder } from "../../../shared/domain/payment/requests/duplicate.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { RecordedEntry, tombstoneRecord } from "../../../shared/stores/payments.ts";
import { booking } from "./full-commands.ts";
import type { Full } from "./full.ts";

export const payment: Full<Payment> = {
  partnerId: "partner-1",
  sessionId: "session-1",
  merchantId: "merchant-1",
  terminalId: "terminal-1",
  asReceived: { sessionId: "SESSION-1", merchantId: "MERCHANT-1", terminalId: "TERMINAL-1" },
  requestId: "request-1",
  merchantName: "Smörgås & Söner",
  terminalName: "Kassa 3",
  currency: "SEK",
  captureMode: "manual",
  lateApproval: "keep",
  webhookUrl: "https://partner.example/events",
  references: { orderId: "order-1", paymentId: "payment-1" },
  metadata: { table: "12", waiter: "Åsa" },
  tip: { percents: [10], amounts: [1_000], custom: true, maximumPercent: 30, asked: true },
  confirmDuplicate: true,
  strictOrder: true,
  possibleDuplicateOf: "session-0",
  status: "captured",
  statusReason: "lateApproval",
  statusDetail: "Do not honour",
  declineCode: "doNotHonour",
  hostCode: "05",
  sequence: 9,
  cancelRequestedBy: "platform",
  partnerCancelled: true,
  amounts: { requested: 12_550, vat: 2_510, discounted: 550, authorized: 12_000, captured: 12_000 },
  refunds: [
    {
      refundId: "refund-1",
      idAsReceived: "REFUND-1",
      names: ["refund-1", "return-77"],
      amount: 1_000,
      made: 900,
      tip: 100,
      chargeId: "charge-2",
      reason: "returned",
      status: "failed",
      statusReason: "terminalReported",
      statusDetail: "card is closed",
      declineCode: "expiredCard",
      hostCode: "54",
      card: { brand: "Visa", last4: "4242", entryMode: "chip" },
      acquirer: { authorisationCode: "R1", rrn: "632610304514", stan: "004514", tid: "T1", mid: "M1" },
      terminalForgot: true,
      restored: 1_008,
      deliverBefore: "2026-11-21T11:10:00.000Z",
      commandId: "command-5",
      sequence: 7,
      correction: { amount: -900, tip: -100, businessDay: "2026-11-20" },
      outsideReference: "ARN 74027",
      createdAt: "2026-11-21T11:00:00.000Z",
      updatedAt: "2026-11-21T11:00:05.000Z",
    },
  ],
  discounts: [
    {
      discountId: "discount-1",
      name: "welcome-1",
      amount: 550,
      vatAfter: 2_400,
      percent: 4.38,
      voucherTokenId: "token-1",
      reserved: true,
      reason: "welcome",
      status: "refused",
      statusReason: "voucherUnavailable",
      commandId: "command-2",
      createdAt: "2026-11-21T10:00:10.000Z",
      updatedAt: "2026-11-21T10:00:11.000Z",
    },
  ],
  amountLocked: true,
  terminalForgot: true,
  restored: 1_009,
  charges: [
    {
      chargeId: "charge-1",
      amount: 12_000,
      currency: "SEK",
      tip: 1_000,
      status: "captured",
      captured: 11_000,
      capturedOn: "2026-11-20",
      voidReason: "notCaptured",
      contradicted: true,
      decided: true,
      tries: 1,
      reversal: { sequence: 9, since: "2026-11-21T10:30:05.000Z", failed: true },
      correction: { amount: 12_000, tip: 1_000, businessDay: "2026-11-20" },
      fromCapture: true,
      card: { brand: "Visa", last4: "4242", entryMode: "contactless" },
      acquirer: { authorisationCode: "A1B2C3", rrn: "632610304512", stan: "004512", tid: "T1", mid: "M1" },
      captureEvidence: {
        card: { brand: "Visa", last4: "4242", entryMode: "contactless" },
        acquirer: { authorisationCode: "A1B2C3", rrn: "632610304513", stan: "004513", tid: "T1", mid: "M1" },
      },
      reversalEvidence: {
        card: { brand: "Visa", last4: "4242", entryMode: "contactless" },
        acquirer: { authorisationCode: "V1", rrn: "632610304515", stan: "004515", tid: "T1", mid: "M1" },
      },
      declineCode: "issuerUnavailable",
      hostCode: "91",
      createdAt: "2026-11-21T10:30:05.000Z",
      updatedAt: "2026-11-21T10:30:06.000Z",
    },
  ],
  correction: { amount: 12_000, tip: 1_000, businessDay: "2026-11-20" },
  ownTip: 1_000,
  card: { brand: "Visa", last4: "4242", entryMode: "contactless" },
  acquirer: { authorisationCode: "A1", rrn: "000000000001", stan: "000123", tid: "T0000001", mid: "M0000001" },
  receipt: { customer: ["KÖP", "125,50"], merchant: ["KÖP", "MERCHANT COPY"] },
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T11:00:05.000Z",
  expiresAt: "2026-11-21T10:02:00.000Z",
  captureBefore: "2026-11-22T22:00:30.000Z",
  captureWaits: { since: "2026-11-21T10:30:00.000Z", until: "2026-12-21T10:00:30.000Z" },
  askedToVoid: 8,
  requestedBy: "command-1",
  unclaimed: true,
  captureAmount: 12_000,
  awaiting: { commandId: "command-4", sequence: 6 },
  undelivered: { Zk3x_Q1a: 12 },
  withdrawn: [12],
  voidedUnknown: ["charge-9"],
  deadlines: [{ name: "doubt", about: "refund-1", at: "2026-11-22T10:30:05.000Z" }],
};

const said: Full<Said> = {
  type: "authorized",
  chargeId: "charge-1",
  refundId: "refund-1",
  amount: 12_000,
  currency: "SEK",
  tipAmount: 1_000,
};

export const historyEntry: Full<RecordedEntry> = {
  sequence: 5,
  at: "2026-11-21T10:00:30.000Z",
  by: "terminal",
  event: "authorized",
  from: "inProgress",
  to: "captured",
  reason: "lateApproval",
  agoMs: 2_592_000_000,
  amount: 12_000,
  reportId: "report-1",
  messageId: "command-1",
  said,
  detail: "approved",
  operator: { by: "ada", why: "the acquirer's list", reference: "ARN 74027" },
  businessDay: "2026-11-20",
  recordedOnly: true,
  printed: "sale",
  alerts: [{ kind: "contradictingReport", about: "charge-1" }],
  commandId: "command-3",
  bookings: [booking],
  requestId: "8d0a4c52-1f0d-4c37-b1d8-6a4f7c3e9b02",
  keyId: "0f3a91c2d4e5b6a7",
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
};

export const tombstone: Full<z.infer<typeof tombstoneRecord>> = {
  partnerId: "partner-1",
  terminalId: "terminal-1",
  sessionId: "session-1",
  at: "2026-11-21T10:00:00.000Z",
  unreadable: true,
};

export const report: Full<RecordedReport> = { sequence: 5, messageId: "command-1", said };

export const orderHolder: Full<OrderHolder> = {
  partnerId: "partner-1",
  terminalId: "terminal-1",
  sessionId: "session-1",
  commandId: "command-1",
  strict: true,
  hold: "approved",
  since: "2026-11-21T10:00:30.000Z",
};

const subjects: {
  readonly [Kind in AlertSubject["kind"]]: Full<Extract<AlertSubject, { readonly kind: Kind }>>;
} = {
  payment: { kind: "payment", partnerId: "partner-1", terminalId: "terminal-1", sessionId: "session-1" },
  terminal: { kind: "terminal", partnerId: "partner-1", terminalId: "terminal-1", day: "2026-11-21" },
  platform: { kind: "platform" },
};

const orphanReport: Full<OrphanReport> = {
  cause: "cause-2",
  at: "2026-11-22T08:00:00.000Z",
  refusedAs: "validation_failed",
  wrong: ["chargeID"],
  reported: { type: "authorized", "acquirer.rrn": "632610304512" },
};

/** An alert of each kind of subject. */
export const alerts = Object.values(subjects).map((subject): Full<Alert> => ({
  subject,
  kind: "contradictingReport",
  about: "refund-1",
  status: "closed",
  detail: "refunded while the refund is failed",
  count: 102,
  firstAt: "2026-11-21T11:00:05.000Z",
  lastAt: "2026-11-22T08:00:00.000Z",
  raisedBy: [9, 12],
  countedUpTo: 8,
  causes: ["cause-1", "cause-2"],
  reports: [orphanReport],
  reportsSeen: 1,
  closings: [{ by: "ada", why: "the acquirer has one refund", at: "2026-11-22T09:00:00.000Z" }],
  reopenings: [{ by: "eve", why: "closed in error", at: "2026-11-22T09:30:00.000Z" }],
}));

export const bareAlerts = Object.values(subjects).map((subject): Full<BareAlert> => ({
  v: 1,
  raised: {
    subject,
    kind: "orphanReport",
    about: "thing-1",
    detail: "validation_failed chargeID",
    cause: "cause-2",
    at: "2026-11-22T08:00:00.000Z",
    report: orphanReport,
  },
  failures: 2,
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
}));
