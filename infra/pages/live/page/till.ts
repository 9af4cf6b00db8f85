import type { PaymentView } from "../views/payments.ts";
import type { StackView } from "../views/stack.ts";
import type { TerminalView } from "../views/terminals.ts";
import { act } from "./ask.ts";
import { majorText, minorOf } from "./text.ts";

// The requests of the shop's till and of its web application. The page's server sends them with the demo's keys. Amounts are minor units
// here, and major units on the wire.

export const CURRENCY = "SEK";
/** The minor units of a typed amount ("125.50", "125,5", "125"). Undefined for anything else, and for zero. */
export const payableOf = (text: string, currency: string): number | undefined => minorOf(text, currency) || undefined;

/** The amount near `near` whose last two digits select this script of the autopilot. */
export const amountFor = (digits: string, near: number): number => Math.floor(near / 100) * 100 + Number(digits);

const major = (minor: number, currency: string): number => Number(majorText(minor, currency));
/** A quarter added to the price is a fifth of the total. */
const vatOf = (minor: number): number => Math.round(minor / 5);

export interface Sale {
  readonly stack: StackView;
  readonly terminal: TerminalView;
  readonly amount: number;
  readonly captureMode: "automatic" | "manual";
}

type Sold = Pick<PaymentView, "sessionId" | "terminalId" | "currency">;
const sold = ({ sessionId, terminalId }: Sold) => ({ sessionID: sessionId, pointOfServiceID: terminalId });

/** Requests a payment under new identifiers. Like the other requests here, it rejects with the platform's own sentence. */
export const requestPayment = ({ stack, terminal, amount, captureMode }: Sale) =>
  send("pos-payment-request", {
    sessionID: crypto.randomUUID(),
    msgType: "paymentRequest",
    merchantID: stack.merchantID,
    merchantName: "Demo Kiosk",
    pointOfServiceID: terminal.id,
    pointOfServiceName: terminal.name,
    totalAmountInclVat: major(amount, CURRENCY),
    totalVatAmount: major(vatOf(amount), CURRENCY),
    currency: CURRENCY,
    captureMode,
    merchantReferences: { orderId: `kiosk-${crypto.randomUUID().slice(0, 8)}`, paymentId: crypto.randomUUID() },
  });

export const cancelPayment = (payment: Sold) =>
  send("pos-payment-cancel", { ...sold(payment), msgType: "paymentCancel" });

/** Captures the whole authorized amount if no amount is given. */
export const capturePayment = (payment: Sold, amount: number | undefined) =>
  send("pos-payment-capture", {
    ...sold(payment),
    msgType: "paymentCapture",
    ...(amount !== undefined && { captureAmount: major(amount, payment.currency) }),
  });

export const refundPayment = (payment: Sold, amount: number) =>
  send("pos-payment-refund", {
    ...sold(payment),
    msgType: "paymentRefund",
    currency: payment.currency,
    refundAmount: major(amount, payment.currency),
    refundID: crypto.randomUUID(),
  });

export const discountPayment = (payment: Sold, amount: number) =>
  send("add-discount", {
    ...sold(payment),
    discountID: crypto.randomUUID(),
    discountAmount: major(amount, payment.currency),
    reason: "given at the counter",
  });

/** Reduces the payment by the voucher with this code. */
export const spendVoucher = (payment: Sold, voucherCode: string) =>
  send("add-discount", { ...sold(payment), discountID: crypto.randomUUID(), voucherCode });

/**
 * Mails a voucher or key to this address, like a web application's page. It uses a template of the demo, and a new landing page each time.
 */
export const askForToken = ({ productID }: StackView, templateAccessTokenID: string, email: string) =>
  send("landing-page-request", {
    landingPageID: crypto.randomUUID(),
    productID,
    templateAccessTokenID,
    button: 1,
    email,
  });

/** Responds to a terminal's question. */
export const answerAction = (responseCode: "accepted" | "declined", actionRequestID: string) =>
  send("action-request-response", { responseCode, actionRequestID });

const send = (operation: string, body: object): Promise<void> => act(`till/${operation}`, body);
