import type { PaymentView } from "../views/payments.ts";
import type { StackView } from "../views/stack.ts";
import type { TerminalView } from "../views/terminals.ts";
import { act } from "./ask.ts";
import { majorText, minorOf } from "./text.ts";

// The requests of the shop's till and of its web application, which the page's server sends with the demo's keys. Amounts are minor units
// here and the major unit on the wire.

export const CURRENCY = "SEK";
/** The minor units of an amount that a person wrote ("125.50", "125,5", "125"); undefined for anything else, and for nothing to pay. */
export const payableOf = (text: string, currency: string): number | undefined => minorOf(text, currency) || undefined;

/** The amount whose last two digits make the autopilot play this script. */
export const amountFor = (digits: string, near: number): number => Math.floor(near / 100) * 100 + Number(digits);

const major = (minor: number, currency: string): number => Number(majorText(minor, currency));
/** A quarter on top of the price is a fifth of the total. */
const vatOf = (minor: number): number => Math.round(minor / 5);

export interface Sale {
  readonly stack: StackView;
  readonly terminal: TerminalView;
  readonly amount: number;
  readonly captureMode: "automatic" | "manual";
}

type Sold = Pick<PaymentView, "sessionId" | "terminalId" | "currency">;
const sold = ({ sessionId, terminalId }: Sold) => ({ sessionID: sessionId, pointOfServiceID: terminalId });

/** Requests a payment under new identifiers. Rejects, as all of these, with the platform's own sentence. */
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

/** All that is authorized where no amount is given. */
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

/** Takes off the payment what the voucher of this code is worth. */
export const spendVoucher = (payment: Sold, voucherCode: string) =>
  send("add-discount", { ...sold(payment), discountID: crypto.randomUUID(), voucherCode });

/** Has a voucher, or a key, mailed to this address, as a web application's page does: with a template of the demo, on a new page each time. */
export const askForToken = ({ productID }: StackView, templateAccessTokenID: string, email: string) =>
  send("landing-page-request", {
    landingPageID: crypto.randomUUID(),
    productID,
    templateAccessTokenID,
    button: 1,
    email,
  });

/** Responds to what a terminal asks. */
export const answerAction = (responseCode: "accepted" | "declined", actionRequestID: string) =>
  send("action-request-response", { responseCode, actionRequestID });

const send = (operation: string, body: object): Promise<void> => act(`till/${operation}`, body);
