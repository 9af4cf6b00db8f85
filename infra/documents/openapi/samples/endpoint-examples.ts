import {
  respondedAction,
  authorizedPayment,
  cancelledPayment,
  cancellingPayment,
  capturingPayment,
  discountedPayment,
  refundingPayment,
  sampleAction,
  sampleLandingPage,
  sampleMessage,
  samplePayment,
  sampleRequest,
  sampleStatus,
  sampleTerminals,
  sampleTarget,
  sampleTimeline,
  sampleTokenRequest,
} from "./samples.ts";
import { sampleEventPage } from "./sample-events.ts";
import { sampleClosing, sampleDay } from "./sample-days.ts";
import { sampleReceipts } from "./sample-receipts.ts";
import { sampleSettlement, sampleSettlementDays } from "./sample-settlement.ts";
import { sampleIds } from "./sample-ids.ts";
import { samplePaymentList } from "./sample-payment-list.ts";

const { sessionID, pointOfServiceID, refundID, discountID, actionRequestID, messageID, reportID, chargeID } = sampleIds;
const { landingPageID, productID, templateAccessTokenID } = sampleIds;
const { actionCode, description, data } = sampleAction;

/**
 * The documentation's examples of each endpoint, by its name: its body, and its responses by status. The compiler checks the table against
 * the endpoints in `examples.ts`, because this folder must not import them.
 */
export const endpointExamples = {
  "landing-page-request": {
    body: { landingPageID, productID, templateAccessTokenID, button: 1, email: "anna@example.com" },
    202: sampleTokenRequest,
  },
  "get-landing-page": { 200: sampleLandingPage },
  "pos-payment-request": { body: sampleRequest, 202: samplePayment() },
  "pos-payment-cancel": {
    body: { ...sampleTarget, msgType: "paymentCancel" },
    200: cancelledPayment,
    202: cancellingPayment,
  },
  "pos-payment-capture": { body: { ...sampleTarget, msgType: "paymentCapture" }, 202: capturingPayment },
  "pos-payment-refund": {
    body: {
      ...sampleTarget,
      msgType: "paymentRefund",
      currency: "SEK",
      refundAmount: 25.5,
      refundReason: "One cup was cold",
      refundID,
      deliverWithinSeconds: 86_400,
    },
    202: refundingPayment,
  },
  "pos-payment": { 200: authorizedPayment },
  "pos-payment-timeline": { 200: sampleTimeline },
  "pos-payment-receipts": { 200: sampleReceipts },
  "pos-payments": { 200: samplePaymentList },
  "add-discount": {
    body: { sessionID, discountID, discountAmount: 25.5, reason: "Member of the club" },
    202: discountedPayment,
  },
  events: { 200: sampleEventPage },
  "settlement-days": { 200: sampleSettlementDays },
  "webhook-test": {
    body: { url: "https://shop.example.com/webhooks" },
    200: { outcome: "delivered", statusCode: 204, ms: 84 },
  },
  settlements: { 200: sampleSettlement },
  "settlement-file": {},
  "point-of-services": { 200: sampleTerminals },
  "pos-status": { 200: sampleStatus },
  "pos-day": { 200: sampleDay },
  "set-pos-status": { body: { statusCode: "available", pointOfServiceID }, 200: sampleStatus },
  "action-request": { 200: sampleAction },
  "action-request-response": { body: { responseCode: "accepted", actionRequestID }, 200: respondedAction },
  "next-message": { 200: sampleMessage },
  report: {
    body: { reportID, type: "authorized", sessionID, messageID, chargeID, amount: 125.5, currency: "SEK" },
    200: { reportID, recorded: true },
  },
  "raise-action-request": { body: { actionRequestID, actionCode, description, data }, 202: sampleAction },
  "day-totals": { body: sampleClosing, 200: { closingID: sampleClosing.closingID, recorded: true } },
} as const;
