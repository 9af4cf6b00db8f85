import type { PaymentView, WaitView } from "../views/payments.ts";
import type { StackView } from "../views/stack.ts";
import type { TerminalView } from "../views/terminals.ts";
import { act } from "./ask.ts";
import { newUuid } from "./new-uuid.ts";
import { majorText, minorOf, moneyText } from "./text.ts";

// The requests of the shop's till and of its web application. The page's server sends them with the demo's keys. Amounts are minor units
// here, and major units on the wire.

/** A request with identifiers of its own. Sent again unchanged, it is carried out once. */
export interface TillRequest {
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** What it requests, such as "the refund of 5.00 SEK". */
  readonly what: string;
  /** The members by which the platform recognizes it. */
  readonly names: string;
}

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
  /** Whether the terminal asks for a tip, if it can. */
  readonly asksTip?: boolean;
}

/** The till's question for a tip: percentages, an amount in the major unit, and by default an own amount. */
const TIP = { percents: [5, 10, 15], amounts: [20] };

type Sold = Pick<PaymentView, "sessionId" | "terminalId" | "currency">;
const sold = ({ sessionId, terminalId }: Sold) => ({ sessionID: sessionId, pointOfServiceID: terminalId });

/** A payment under new identifiers. */
export const paymentRequest = ({ stack, terminal, amount, captureMode, asksTip }: Sale): TillRequest => ({
  operation: "pos-payment-request",
  body: {
    sessionID: newUuid(),
    msgType: "paymentRequest",
    merchantID: stack.merchantID,
    merchantName: "Demo Kiosk",
    pointOfServiceID: terminal.id,
    pointOfServiceName: terminal.name,
    totalAmountInclVat: major(amount, CURRENCY),
    totalVatAmount: major(vatOf(amount), CURRENCY),
    currency: CURRENCY,
    captureMode,
    ...(asksTip && { tip: TIP }),
    merchantReferences: { orderId: `kiosk-${newUuid().slice(0, 8)}`, paymentId: newUuid() },
  },
  what: `the payment of ${moneyText(amount, CURRENCY)}`,
  names: "sessionID and orderId",
});

const cancelOf = (payment: Sold) => ({
  operation: "pos-payment-cancel",
  body: { ...sold(payment), msgType: "paymentCancel" },
});

export function cancelPayment(payment: Sold): Promise<void> {
  const { operation, body } = cancelOf(payment);
  return send(operation, body);
}

export const captureRequest = (payment: Sold, amount: number): TillRequest => ({
  operation: "pos-payment-capture",
  body: { ...sold(payment), msgType: "paymentCapture", captureAmount: major(amount, payment.currency) },
  what: `the capture of ${moneyText(amount, payment.currency)}`,
  names: "sessionID",
});

export const refundRequest = (payment: Sold, amount: number): TillRequest => ({
  operation: "pos-payment-refund",
  body: {
    ...sold(payment),
    msgType: "paymentRefund",
    currency: payment.currency,
    refundAmount: major(amount, payment.currency),
    refundID: newUuid(),
  },
  what: `the refund of ${moneyText(amount, payment.currency)}`,
  names: "refundID",
});

/** Withdraws a refund. A capture is withdrawn by a cancel of its payment, which also gives the charge back. */
export function withdrawal(payment: Sold, { refundId, amount }: WaitView): TillRequest {
  const { operation, body } = cancelOf(payment);
  if (refundId === undefined) return { operation, body, what: "the cancel of the payment", names: "sessionID" };
  const what = `the withdrawal of the refund of ${moneyText(amount, payment.currency)}`;
  return { operation, body: { ...body, refundID: refundId }, what, names: "refundID" };
}

export const discountRequest = (payment: Sold, amount: number): TillRequest => ({
  operation: "add-discount",
  body: {
    ...sold(payment),
    discountID: newUuid(),
    discountAmount: major(amount, payment.currency),
    reason: "given at the counter",
  },
  what: `the discount of ${moneyText(amount, payment.currency)}`,
  names: "discountID",
});

/** Reduces the payment by the voucher with this code. */
export const voucherRequest = (payment: Sold, voucherCode: string): TillRequest => ({
  operation: "add-discount",
  body: { ...sold(payment), discountID: newUuid(), voucherCode },
  what: "the voucher's discount",
  names: "discountID",
});

/**
 * Mails a voucher or key to this address, like a web application's page. It uses a template of the demo, and a new landing page each time.
 */
export const askForToken = ({ productID }: StackView, templateAccessTokenID: string, email: string) =>
  send("landing-page-request", {
    landingPageID: newUuid(),
    productID,
    templateAccessTokenID,
    button: 1,
    email,
  });

/** Responds to a terminal's question. */
export const answerAction = (responseCode: "accepted" | "declined", actionRequestID: string) =>
  send("action-request-response", { responseCode, actionRequestID });

/** Rejects with the platform's own sentence. */
const send = (operation: string, body: object): Promise<void> => act(`till/${operation}`, body);

export const sendToPlatform = ({ operation, body }: TillRequest): Promise<void> => send(operation, body);
