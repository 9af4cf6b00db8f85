import type { OperationView } from "../views/operations.ts";
import type { PaymentView } from "../views/payments.ts";
import type { StackView } from "../views/stack.ts";
import type { TerminalView } from "../views/terminals.ts";
import type { TryResult, TryWish } from "../views/try.ts";
import { act, read } from "./ask.ts";
import { majorText, minorOf } from "./text.ts";

// What the shop's till does: plain requests to the Partners API, which the page's server sends with the demo's keys. Amounts are minor units
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
  operate("pos-payment-request", {
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
  operate("pos-payment-cancel", { ...sold(payment), msgType: "paymentCancel" });

/** All that is authorized where no amount is given. */
export const capturePayment = (payment: Sold, amount: number | undefined) =>
  operate("pos-payment-capture", {
    ...sold(payment),
    msgType: "paymentCapture",
    ...(amount !== undefined && { captureAmount: major(amount, payment.currency) }),
  });

export const refundPayment = (payment: Sold, amount: number) =>
  operate("pos-payment-refund", {
    ...sold(payment),
    msgType: "paymentRefund",
    currency: payment.currency,
    refundAmount: major(amount, payment.currency),
    refundID: crypto.randomUUID(),
  });

export const discountPayment = (payment: Sold, amount: number) =>
  operate("add-discount", {
    ...sold(payment),
    discountID: crypto.randomUUID(),
    discountAmount: major(amount, payment.currency),
    reason: "given at the counter",
  });

/** Takes off the payment what the voucher of this code is worth. */
export const spendVoucher = (payment: Sold, voucherCode: string) =>
  operate("add-discount", { ...sold(payment), discountID: crypto.randomUUID(), voucherCode });

/** Has a voucher, or a key, mailed to this address, as a web application's page does: with a template of the demo, on a new page each time. */
export async function askForToken(email: string, templateAccessTokenID: string): Promise<void> {
  const operations = await read<readonly OperationView[]>("operations");
  const { body = "{}" } = operations.find(({ id }) => id === "landing-page-request") ?? {};
  await operate("landing-page-request", { ...(JSON.parse(body) as object), templateAccessTokenID, email });
}

/** Responds to what a terminal asks. */
export const answerAction = (responseCode: "accepted" | "declined", actionRequestID: string) =>
  operate("action-request-response", { responseCode, actionRequestID });

async function operate(operation: string, body: object): Promise<void> {
  const wish: TryWish = { operation, fields: {}, body: JSON.stringify(body) };
  const result = await act<TryResult>("try", wish);
  if (result.status === undefined || result.status >= 400) throw new Error(refusalIn(result));
}

/** The problem's sentence and the status; else what is known of the response. */
function refusalIn({ status, body }: TryResult): string {
  if (status === undefined) return "The platform did not respond.";
  const sentence = sentenceIn(body);
  return sentence === undefined ? `The platform responded ${status}.` : `${sentence.replace(/\.$/, "")} (${status}).`;
}

/** What a problem says; undefined for a text that is none, such as a gateway's own. */
export function sentenceIn(body: string): string | undefined {
  try {
    const problem = JSON.parse(body) as { readonly detail?: unknown; readonly title?: unknown } | null;
    return [problem?.detail, problem?.title].find((text) => typeof text === "string");
  } catch {
    return undefined;
  }
}
