import { getLandingPage } from "./consumer/get-landing-page.ts";
import { landingPageRequest } from "./consumer/landing-page-request.ts";
import { actionRequest } from "./partners/action-request.ts";
import { actionRequestResponse } from "./partners/action-request-response.ts";
import { addDiscountToPayment } from "./partners/add-discount.ts";
import { events } from "./partners/events.ts";
import { posPayment } from "./partners/pos-payment.ts";
import { posPaymentCancel } from "./partners/pos-payment-cancel.ts";
import { posPaymentCapture } from "./partners/pos-payment-capture.ts";
import { posPaymentRefund } from "./partners/pos-payment-refund.ts";
import { posPaymentRequest } from "./partners/pos-payment-request.ts";
import { posPaymentReceipts } from "./partners/pos-payment-receipts.ts";
import { posPaymentTimeline } from "./partners/pos-payment-timeline.ts";
import { posDay } from "./partners/pos-day.ts";
import { posPayments } from "./partners/pos-payments.ts";
import { pointOfServices } from "./partners/point-of-services.ts";
import { posStatus } from "./partners/pos-status.ts";
import { setPosStatus } from "./partners/set-pos-status.ts";
import { dayTotals } from "./terminals/day-totals.ts";
import { settlementDays } from "./partners/settlement-days.ts";
import { settlementFileOfDay } from "./partners/settlement-file.ts";
import { settlements } from "./partners/settlements.ts";
import { webhookTest } from "./partners/webhook-test.ts";
import { nextTerminalMessage } from "./terminals/next-message.ts";
import { raiseAction } from "./terminals/raise-action-request.ts";
import { report } from "./terminals/report.ts";

/** Every HTTP endpoint of the platform, in the order of the documentation. */
export const endpoints = [
  landingPageRequest,
  getLandingPage,
  posPaymentRequest,
  posPaymentCancel,
  posPaymentCapture,
  posPaymentRefund,
  posPayment,
  posPaymentTimeline,
  posPaymentReceipts,
  posPayments,
  addDiscountToPayment,
  events,
  webhookTest,
  pointOfServices,
  posStatus,
  posDay,
  setPosStatus,
  settlementDays,
  settlements,
  settlementFileOfDay,
  actionRequest,
  actionRequestResponse,
  nextTerminalMessage,
  report,
  raiseAction,
  dayTotals,
];
