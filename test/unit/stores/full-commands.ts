import type { Booking } from "../../../shared/domain/booking.ts";
import type { TerminalMessage, TerminalMessageType } from "../../../shared/domain/terminal-message.ts";
import type { Announcement } from "../../../shared/ports/announcements.ts";
import type { KeyHolder } from "../../../shared/stores/idempotency-keys.ts";
import type { Command } from "../../../shared/stores/commands.ts";
import type { WebhookAttempt } from "../../../shared/domain/webhook-attempt.ts";
import type { CreatedPayment } from "../../../shared/stores/sessions.ts";
import type { Rung } from "../../../shared/stores/rung-bells.ts";
import type { FeedEvent, FeedHead } from "../../../shared/stores/feeds.ts";
import type { StoredEffect } from "../../../shared/domain/effects.ts";
import type { Subject } from "../../../shared/ports/subjects.ts";
import type { InboxEntry } from "../../../shared/domain/terminal-inbox.ts";
import type { Full } from "./full.ts";

const messages: {
  readonly [Type in TerminalMessageType]: Full<Extract<TerminalMessage, { readonly type: Type }>>;
} = {
  payment: {
    type: "payment",
    amount: 12_550,
    vat: 2_510,
    currency: "SEK",
    captureMode: "automatic",
    tip: { percents: [10], amounts: [1_000], custom: true, maximum: 3_765 },
    merchantName: "Smörgås & Söner",
    orderId: "order-1",
  },
  cancel: { type: "cancel" },
  statusQuery: { type: "statusQuery", refundId: "refund-1", first: true },
  capture: { type: "capture", chargeId: "charge-1", amount: 12_000, currency: "SEK" },
  void: { type: "void", chargeId: "charge-1", amount: 12_000, currency: "SEK" },
  refund: {
    type: "refund",
    refundId: "refund-1",
    chargeId: "charge-1",
    amount: 1_000,
    currency: "SEK",
    reason: "returned",
  },
  discount: {
    type: "discount",
    discountId: "discount-1",
    amount: 550,
    newTotal: 12_000,
    newVat: 2_400,
    currency: "SEK",
    tip: { percents: [10], amounts: [1_000], custom: true, maximum: 3_600 },
  },
  actionAnswer: { type: "actionAnswer", actionRequestId: "ACTION-1", responseCode: "accepted" },
};

const envelope = {
  terminalId: "terminal-1",
  slot: { createdAt: "2026-11-21T10:00:00.000Z", sessionId: "session-1", sequence: 1 },
  sessionIdAsReceived: "SESSION-1",
  message: messages.payment,
  expiresAt: "2026-11-21T10:02:00.000Z",
} satisfies Full<Extract<StoredEffect, { readonly kind: "message" }>["envelope"]>;

export const booking: Full<Booking> = {
  partnerId: "partner-1",
  terminalId: "terminal-1",
  merchantId: "merchant-1",
  sessionId: "session-1",
  asReceived: {
    sessionId: "SESSION-1",
    merchantId: "MERCHANT-1",
    terminalId: "TERMINAL-1",
    refundId: "REFUND-1",
  },
  sequence: 7,
  number: 1,
  businessDay: "2026-11-21",
  bookedOn: "2026-11-23",
  kind: "refund",
  counted: { kind: "refund", count: 1 },
  direction: "debit",
  amount: 1_000,
  tip: 100,
  currency: "SEK",
  chargeId: "charge-1",
  refundId: "refund-1",
  orderId: "order-1",
  paymentId: "payment-1",
  evidence: {
    brand: "Visa",
    last4: "4242",
    authorisationCode: "R1",
    rrn: "632610304514",
    tid: "T0000001",
    mid: "M0000001",
  },
  at: "2026-11-21T11:00:05.000Z",
};

const effects: {
  readonly [Kind in StoredEffect["kind"]]: Full<Extract<StoredEffect, { readonly kind: Kind }>>;
} = {
  message: { kind: "message", envelope: { ...envelope, message: messages.cancel } },
  orderUpdate: { kind: "orderUpdate" },
  deadline: { kind: "deadline", deadline: "action", due: "2026-11-21T10:02:00.000Z" },
  look: { kind: "look", at: "2026-11-21T10:00:30.000Z" },
  voucherReservation: { kind: "voucherReservation", tokenId: "token-1", discountId: "discount-1" },
  voucherOutcome: { kind: "voucherOutcome", tokenId: "token-1", discountId: "discount-1" },
  issue: { kind: "issue" },
  mail: { kind: "mail" },
  alert: {
    kind: "alert",
    alert: "contradictingReport",
    about: "refund-1",
    detail: "refunded while the refund is failed",
    at: "2026-11-21T10:00:30.000Z",
  },
  dayUpdate: { kind: "dayUpdate", days: ["2026-11-21"] },
  webhook: {
    kind: "webhook",
    type: "refund.succeeded",
    about: "refund-1",
    eventId: "event-1",
  },
  feedEntry: {
    kind: "feedEntry",
    type: "refund.requested",
    about: "refund-1",
    eventId: "event-2",
  },
};

const subjects: {
  readonly [Kind in Subject["kind"]]: Full<Extract<Subject, { readonly kind: Kind }>>;
} = {
  payment: { kind: "payment", partnerId: "partner-1", terminalId: "terminal-1", sessionId: "session-1" },
  actionRequest: { kind: "actionRequest", partnerId: "partner-1", actionRequestId: "action-1" },
  tokenRequest: {
    kind: "tokenRequest",
    landingPageId: "page-1",
    requestId: "request-1",
    createdAt: "2026-11-21T10:00:00.000Z",
  },
  terminalDay: { kind: "terminalDay", partnerId: "partner-1", terminalId: "terminal-1", day: "2026-11-21" },
  partnerDay: { kind: "partnerDay", partnerId: "partner-1", day: "2026-11-21" },
};

/** A command of each kind of subject, with every effect. */
export const commands = Object.values(subjects).map((subject): Full<Omit<Command, "etag">> => ({
  commandId: "command-1",
  subject,
  state: "ready",
  sequence: 1,
  at: "2026-11-21T10:00:00.000Z",
  effects: [{ kind: "message", envelope }, ...Object.values(effects)],
  event: { data: { refunds: [{ refundAmount: 10.5 }] }, url: "https://partner.example/events", causedBy: "partner" },
  done: ["message", "deadline~action"],
  keyId: "0f3a91c2d4e5b6a7",
  idempotency: { hash: "9f86d081884c7d65", operation: "request" },
  user: "web-shop",
}));

/** The request that holds an `Idempotency-Key`, for each kind of subject. */
export const keyHolders = Object.values(subjects).map((subject): Full<KeyHolder> => ({
  operation: "request",
  subject,
  content: "deliverWithinSeconds=3600",
  terminalId: "terminal-1",
  commandId: "command-1",
  at: "2026-11-21T10:00:00.000Z",
  isRestored: true,
}));

export const marks = Object.values(subjects).map((subject) => ({ subject }));

export const attempt: Full<WebhookAttempt> = {
  eventId: "event-1",
  type: "payment.captured",
  attempt: 2,
  at: "2026-11-21T10:00:31.000Z",
  outcome: "tls",
  reason: "CERT_HAS_EXPIRED",
  status: 503,
  ms: 12.5,
};

/** A row for each kind of message. */
export const inboxRows = Object.values(messages).map((message): Full<InboxEntry> => ({
  state: "fetched",
  fetchedAt: "2026-11-21T10:00:02.000Z",
  slot: envelope.slot,
  messageId: "command-1",
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  sessionIdAsReceived: "SESSION-1",
  message,
  expiresAt: "2026-11-21T10:02:00.000Z",
  leasedUntil: "2026-11-21T10:00:10.000Z",
}));

export const announcements = Object.values(subjects).map((subject): Full<Announcement> => ({
  v: 1,
  subject,
  commandId: "command-1",
  effect: "webhook~payment.captured",
  sequence: 3,
  createdAt: "2026-11-21T10:00:00.000Z",
  at: "2026-11-21T10:00:30.000Z",
  firstEnqueuedAt: "2026-11-21T10:00:00.000Z",
  lookups: 1,
  failures: 2,
  attempt: 3,
  postponed: 2,
  replay: true,
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
}));

export const createdPayment: Full<CreatedPayment> = {
  partnerId: "partner-1",
  sessionId: "session-1",
  createdAt: "2026-11-21T10:00:00.000Z",
  requestedBy: "command-1",
  merchantId: "merchant-1",
  terminalId: "terminal-1",
  orderId: "order 7",
};

export const rung: Rung = {
  ringer: "dddddddd-0000-4000-8000-000000000001",
  sequence: 7,
  terminalIds: ["cccccccc-0000-4000-8000-000000000001"],
  at: "2026-11-21T10:00:00.000Z",
};

export const feedEvent: Full<FeedEvent> = {
  number: 7,
  body: '{"id":"one","data":{"sessionID":"ü"}}',
  subject: {
    kind: "payment",
    partnerId: "aaaaaaaa-0000-4000-8000-000000000001",
    terminalId: "cccccccc-0000-4000-8000-000000000001",
    sessionId: "bbbbbbbb-0000-4000-8000-000000000001",
  },
  commandId: "dddddddd-0000-4000-8000-000000000001",
  enteredAt: "2026-11-21T10:00:00.000Z",
};
export const feedHead: Full<FeedHead> = { first: 3, last: 1_000_007, gaps: [{ after: 7, to: 1_000_007 }] };
