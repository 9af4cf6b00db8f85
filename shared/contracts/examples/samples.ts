import type { ActionRequestObject } from "../objects/action-request.ts";
import type { LandingPageObject, TokenRequestObject } from "../objects/landing-page.ts";
import type { PaymentObject } from "../objects/payment.ts";
import type { TerminalMessageObject } from "../objects/terminal-message.ts";
import type { TerminalStatusObject } from "../objects/terminal-status.ts";
import type { TimelineObject } from "../objects/timeline.ts";

// What the documentation shows as examples: one payment, told from its request to its refund.

/** Identifiers in the documentation's examples; the local reference page puts the running demo's in their place. */
export const sampleIds = {
  sessionID: "5f0c1f5e-8f4f-4c0e-9a56-0d2f6f1b7a01",
  requestID: "8d0a4c52-1f0d-4c37-b1d8-6a4f7c3e9b02",
  merchantID: "2c8a7b64-9d31-4e5f-8b06-7f2d1a3c5e03",
  pointOfServiceID: "b7e3d9a1-42c6-4f8e-a5d0-3c9b8f1e6d04",
  orderId: "e1f6a3c8-75b2-4d9e-8c41-9a0d5b7f2e05",
  paymentId: "a94b2d7f-0c5e-4a63-9f18-4e7c6d8b1f06",
  refundID: "c3d5e7f9-1a2b-4c4d-8e6f-7a8b9c0d1e07",
  discountID: "d6f8a0b2-3c4e-4f60-9172-8b9c0d1e2f08",
  actionRequestID: "f7a9b1c3-5d6e-4071-8293-9c0d1e2f3a09",
  accessTokenID: "0b1c2d3e-4f50-4162-8374-a5b6c7d8e90a",
  landingPageID: "1c2d3e4f-5061-4273-9485-b6c7d8e9fa0b",
  productID: "2d3e4f50-6172-4384-8596-c7d8e9fa0b0c",
  templateAccessTokenID: "3e4f5061-7283-4495-96a7-d8e9fa0b1c0d",
  messageID: "4f506172-8394-45a6-97b8-e9fa0b1c2d0e",
  reportID: "50617283-94a5-46b7-88c9-fa0b1c2d3e0f",
} as const;

const { sessionID, merchantID, pointOfServiceID } = sampleIds;

/** What names the payment in an operation on it. */
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
  merchantReferences: { orderId: sampleIds.orderId, paymentId: sampleIds.paymentId },
  _id: sampleIds.requestID,
};

const asked = { requested: 125.5, discounted: 0, authorized: 0, captured: 0, refunded: 0, refundPending: 0 };

/** The sample payment as it stood once, just after its request when nothing else is said. */
export function samplePayment(more: Partial<PaymentObject> = {}): PaymentObject {
  const { merchantName, pointOfServiceName, totalAmountInclVat, totalVatAmount, currency, merchantReferences, _id } =
    sampleRequest;
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
    captureMode: "manual",
    totalAmountInclVat,
    totalVatAmount,
    amounts: asked,
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

const approved: Partial<PaymentObject> = {
  amounts: { ...asked, authorized: 125.5 },
  card: { brand: "Visa", last4: "4242", entryMode: "contactless" },
  acquirer: { authorisationCode: "A1B2C3", rrn: "632610304512", stan: "004512" },
  captureBefore: "2026-11-22T22:30:08.420Z",
  updatedAt,
};

export const authorizedPayment = samplePayment({ ...approved, status: "authorized", sequence: 3 });

export const capturingPayment = samplePayment({ ...approved, status: "captureRequested", sequence: 4 });

const captured: Partial<PaymentObject> = {
  ...approved,
  status: "captured",
  final: true,
  amounts: { ...asked, authorized: 125.5, captured: 125.5 },
};

export const refundingPayment = samplePayment({
  ...captured,
  amounts: { ...asked, authorized: 125.5, captured: 125.5, refundPending: 25.5 },
  refunds: [
    {
      refundID: sampleIds.refundID,
      refundAmount: 25.5,
      refundReason: "One cup was cold",
      status: "pending",
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
      webhookID: `${sessionID}_3`,
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
};

export const sampleAction: ActionRequestObject = {
  actionRequestID: sampleIds.actionRequestID,
  pointOfServiceID,
  actionCode: "openGate",
  description: "A member stands at gate 2",
  data: { gate: 2 },
  status: "pending",
  createdAt,
  expiresAt: "2026-11-21T10:32:00.000Z",
};

export const answeredAction: ActionRequestObject = {
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
  captureMode: "manual",
  merchantName: "Demo Kiosk",
  orderId: sampleIds.orderId,
};
