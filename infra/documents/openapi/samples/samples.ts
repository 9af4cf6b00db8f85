import type { ActionRequestObject } from "../../../../shared/contracts/objects/action-request.ts";
import type { LandingPageObject, TokenRequestObject } from "../../../../shared/contracts/objects/landing-page.ts";
import type { PaymentObject } from "../../../../shared/contracts/objects/payment.ts";
import type { TerminalMessageObject } from "../../../../shared/contracts/objects/terminal-message.ts";
import type { TerminalStatusObject } from "../../../../shared/contracts/objects/terminal-status.ts";
import type { TimelineObject } from "../../../../shared/contracts/objects/timeline.ts";

import { commandID, sampleIds } from "./sample-ids.ts";

// The documentation's examples: one payment from its request to its refund.

const { sessionID, merchantID, pointOfServiceID } = sampleIds;

/** The members that identify the payment in an operation on it. */
export const sampleTarget = { sessionID, pointOfServiceID };

const createdAt = "2026-11-21T10:30:00.000Z";
const updatedAt = "2026-11-21T10:30:08.420Z";

export const sampleRequest = {
  sessionID,
  msgType: "paymentRequest" as const,
  merchantID,
  merchantName: "Demo Kiosk",
  pointOfServiceID,
  pointOfServiceName: "Counter 1",
  totalAmountInclVat: 125.5,
  totalVatAmount: 25.1,
  currency: "SEK",
  captureMode: "automatic" as const,
  merchantReferences: { orderId: sampleIds.orderId, paymentId: sampleIds.paymentId },
  _id: sampleIds.requestID,
};

const requestedAmounts = { requested: 125.5, discounted: 0, authorized: 0, captured: 0, refunded: 0, refundPending: 0 };

/** The sample payment at one moment, by default just after its request. */
export function samplePayment(more: Partial<PaymentObject> = {}): PaymentObject {
  const {
    merchantName,
    pointOfServiceName,
    totalAmountInclVat,
    totalVatAmount,
    currency,
    captureMode,
    merchantReferences,
    _id,
  } = sampleRequest;
  return {
    msgType: "paymentResponse",
    sessionID,
    _id,
    merchantID,
    merchantName,
    pointOfServiceID,
    pointOfServiceName,
    status: "pending",
    final: false,
    currency,
    captureMode,
    totalAmountInclVat,
    totalVatAmount,
    amounts: requestedAmounts,
    charges: [],
    refunds: [],
    discounts: [],
    merchantReferences,
    sequence: 1,
    createdAt,
    updatedAt: createdAt,
    expiresAt: "2026-11-21T10:32:00.000Z",
    ...more,
  };
}

const card = { brand: "Visa", last4: "4242", entryMode: "contactless" };
const acquirer = { authorisationCode: "A1B2C3", rrn: "632610304512", stan: "004512" };

/** The charge of the sample payment. */
const sampleCharge = (status: PaymentObject["charges"][number]["status"]): PaymentObject["charges"][number] => ({
  chargeID: sampleIds.chargeID,
  amount: 125.5,
  currency: "SEK",
  status,
  card,
  acquirer,
  createdAt: updatedAt,
  updatedAt,
});

const approved: Partial<PaymentObject> = {
  amounts: { ...requestedAmounts, authorized: 125.5 },
  charges: [sampleCharge("authorized")],
  card,
  acquirer,
  captureBefore: "2026-11-22T22:30:08.420Z",
  updatedAt,
};

export const authorizedPayment = samplePayment({
  ...approved,
  captureMode: "manual",
  status: "authorized",
  sequence: 3,
});

export const capturingPayment = samplePayment({
  ...approved,
  captureMode: "manual",
  status: "captureRequested",
  deliverBefore: "2026-12-21T10:30:08.420Z",
  sequence: 4,
});

const captured: Partial<PaymentObject> = {
  ...approved,
  status: "captured",
  final: true,
  charges: [sampleCharge("captured")],
  amounts: { ...requestedAmounts, authorized: 125.5, captured: 125.5 },
};

/** A payment in a restaurant, approved with a tip of 10.00 and captured as a whole. */
export const tippedPayment = samplePayment({
  ...captured,
  sessionID: "9495a6b7-c8d9-4aeb-8c0d-2e3f40516273",
  _id: undefined,
  merchantName: "Demo Bistro",
  pointOfServiceName: "Table service",
  captureMode: "manual",
  merchantReferences: { orderId: "table-7" },
  totalAmountInclVat: 100,
  totalVatAmount: 12,
  amounts: { ...requestedAmounts, requested: 100, authorized: 110, captured: 110, tip: 10 },
  tip: { asked: true, amount: 10 },
  charges: [{ ...sampleCharge("captured"), chargeID: "a5a6b7c8-d9ea-4bfc-8d1e-3f4051627384", amount: 110 }],
  sequence: 5,
});

export const refundingPayment = samplePayment({
  ...captured,
  amounts: { ...requestedAmounts, authorized: 125.5, captured: 125.5, refundPending: 25.5 },
  refunds: [
    {
      refundID: sampleIds.refundID,
      refundAmount: 25.5,
      refundReason: "One cup was cold",
      status: "pending",
      deliverBefore: "2026-11-22T10:30:08.420Z",
      createdAt: updatedAt,
      updatedAt,
    },
  ],
  sequence: 6,
});

export const discountedPayment = samplePayment({
  status: "inProgress",
  discounts: [
    {
      discountID: sampleIds.discountID,
      discountAmount: 25.5,
      reason: "Member of the club",
      status: "requested",
      createdAt: updatedAt,
      updatedAt,
    },
  ],
  sequence: 3,
  updatedAt,
});

export const cancelledPayment = samplePayment({
  status: "cancelled",
  statusReason: "cancelledByPartner",
  final: true,
  sequence: 2,
  updatedAt,
});

export const cancellingPayment = samplePayment({
  status: "cancelRequested",
  statusReason: "cancelledByPartner",
  sequence: 3,
  updatedAt,
});

export const sampleTimeline: TimelineObject = {
  sessionID,
  status: "authorized",
  entries: [
    { sequence: 1, at: createdAt, by: "partner", event: "request", to: "pending", recordedOnly: false, latencyMs: 0 },
    {
      sequence: 2,
      at: "2026-11-21T10:30:00.310Z",
      by: "terminal",
      event: "accepted",
      from: "pending",
      to: "inProgress",
      reportID: sampleIds.reportID,
      recordedOnly: false,
      latencyMs: 310,
    },
    {
      sequence: 3,
      at: updatedAt,
      by: "terminal",
      event: "authorized",
      from: "inProgress",
      to: "authorized",
      recordedOnly: false,
      latencyMs: 8_110,
    },
  ],
  webhooks: [
    {
      webhookID: `${sessionID}_3_${commandID}`,
      type: "payment.authorized",
      attempt: 1,
      at: "2026-11-21T10:30:08.560Z",
      outcome: "delivered",
      statusCode: 204,
      latencyMs: 87,
    },
  ],
};

export const sampleStatus: TerminalStatusObject = {
  pointOfServiceID,
  statusCode: "available",
  online: true,
  canAcceptPayment: true,
  lastSeenAt: "2026-11-21T10:29:51.004Z",
  updatedAt: "2026-11-20T07:58:12.301Z",
  waiting: 0,
};

export const sampleTerminals = {
  pointOfServices: [
    {
      ...sampleStatus,
      name: "Till 3",
      merchantID: sampleIds.merchantID,
      merchantName: "Kaffebaren",
      device: {
        maker: "Alpenpos",
        model: "K9",
        serialNumber: "K9-004711",
        softwareVersion: "4.2.0",
        network: "wifi" as const,
      },
      can: [],
      batteryPercent: 87,
    },
  ],
};

export const sampleAction = {
  actionRequestID: sampleIds.actionRequestID,
  pointOfServiceID,
  actionCode: "openGate",
  description: "A member stands at gate 2",
  data: { gate: 2 },
  status: "pending",
  createdAt,
  expiresAt: "2026-11-21T10:32:00.000Z",
} as const satisfies ActionRequestObject;

export const respondedAction: ActionRequestObject = {
  ...sampleAction,
  status: "accepted",
  response: { responseCode: "accepted", respondedAt: updatedAt },
};

const { landingPageID, productID, templateAccessTokenID } = sampleIds;

export const sampleTokenRequest: TokenRequestObject = {
  requestID: sampleIds.requestID,
  landingPageID,
  productID,
  status: "received",
};

export const sampleLandingPage: LandingPageObject = {
  landingPageID,
  productID,
  templateAccessTokenID,
  name: "Demo Kiosk",
  status: "active",
  buttons: [1],
  requests: [{ requestID: sampleIds.requestID, button: 1, status: "emailed", email: "a***@e***.com", createdAt }],
};

export const sampleMessage: TerminalMessageObject = {
  messageID: sampleIds.messageID,
  sessionID,
  sequence: 1,
  expiresInMs: 29_300,
  type: "payment",
  totalAmountInclVat: 125.5,
  totalVatAmount: 25.1,
  currency: "SEK",
  captureMode: "automatic",
  merchantName: "Demo Kiosk",
  orderId: sampleIds.orderId,
};
