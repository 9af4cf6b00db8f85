import type { Change } from "../life/advance.ts";
import { orderOf } from "../record/order.ts";
import type { Payment } from "../record/payment.ts";
import { isSameQuestion, tipChoices, type TipQuestion } from "../record/tip.ts";
import { withDeadlines } from "../life/deadlines.ts";
import { timeouts } from "../life/timeouts.ts";
import { after, type Instant } from "../../time.ts";
import type { Timings } from "../../timings.ts";

/** A payment request, checked and in the platform's own terms: identifiers in lower case, amounts in minor units. */
export interface PaymentRequest {
  readonly sessionId: string;
  readonly merchantId: string;
  readonly terminalId: string;
  readonly asReceived: Payment["asReceived"];
  readonly requestId?: string | undefined;
  readonly merchantName?: string | undefined;
  readonly terminalName?: string | undefined;
  readonly currency: string;
  readonly amount: number;
  readonly vat?: number | undefined;
  readonly captureMode: Payment["captureMode"];
  /** The question for a tip. Undefined if the terminal must not ask. */
  readonly tip?: TipQuestion | undefined;
  readonly lateApproval: Payment["lateApproval"];
  readonly expiresInSeconds?: number | undefined;
  readonly confirmDuplicate: boolean;
  readonly webhookUrl?: string | undefined;
  readonly metadata?: Payment["metadata"];
  readonly references?: Payment["references"];
}

/** A new payment in `pending`. Its effects are the message to the terminal and the deadline of the terminal's acceptance. */
export function createPayment(
  request: PaymentRequest,
  context: {
    readonly partnerId: string;
    readonly strictOrder: boolean;
    readonly possibleDuplicateOf: string | undefined;
    /** Whether the terminal has the ability to ask for tips. */
    readonly asksTips: boolean;
    readonly commandId: string;
    readonly now: Instant;
    readonly timings: Timings;
  },
): Change {
  const { now, partnerId, strictOrder, possibleDuplicateOf, commandId, timings } = context;
  const { amount, vat, currency, captureMode, expiresInSeconds, ...kept } = request;
  const tip = context.asksTips ? request.tip && tipChoices(request.tip, amount) : undefined;
  const payment: Payment = {
    ...kept,
    tip: request.tip && { ...request.tip, asked: tip !== undefined },
    partnerId,
    currency,
    captureMode,
    strictOrder,
    possibleDuplicateOf,
    status: "pending",
    sequence: 1,
    amounts: { requested: amount, vat, discounted: 0, authorized: 0, captured: 0 },
    refunds: [],
    discounts: [],
    amountLocked: false,
    charges: [],
    createdAt: now,
    updatedAt: now,
    expiresAt: after(now, expiresInSeconds ?? timings.expirySeconds),
    requestedBy: commandId,
    deadlines: [],
  };
  const { merchantName } = request;
  const message = {
    type: "payment",
    amount,
    vat,
    currency,
    captureMode,
    tip,
    merchantName,
    orderId: orderOf(request)?.orderId,
  } as const;
  return {
    ...withDeadlines(payment, [
      { kind: "message", message, expiresAt: payment.expiresAt },
      { kind: "deadline", name: "acceptance", at: timeouts.acceptance.due({ next: payment, now, timings }) },
    ]),
    entry: { sequence: 1, at: now, by: "partner", event: "request", to: "pending", amount },
  };
}

type Same = (payment: Payment, request: PaymentRequest) => boolean;

/** Another value does not make a different request. It describes the payment, or how it is carried out. */
const any: Same = () => true;

/** For each member of a request: whether the payment was requested with this value. A new member must say here whether it counts. */
const sameIn: { readonly [Member in keyof Required<PaymentRequest>]: Same } = {
  sessionId: any, // it found the payment
  merchantId: (payment, { merchantId }) => payment.merchantId === merchantId,
  terminalId: (payment, { terminalId }) => payment.terminalId === terminalId,
  asReceived: any,
  requestId: any,
  merchantName: any,
  terminalName: any,
  currency: (payment, { currency }) => payment.currency === currency,
  amount: ({ amounts }, { amount }) => amounts.requested === amount,
  vat: ({ amounts }, { vat }) => amounts.vat === vat,
  captureMode: (payment, { captureMode }) => payment.captureMode === captureMode,
  tip: (payment, { tip }) => isSameQuestion(payment.tip, tip),
  lateApproval: any,
  expiresInSeconds: any,
  confirmDuplicate: any,
  webhookUrl: any,
  metadata: any,
  references: (payment, request) => orderOf(payment)?.orderId === orderOf(request)?.orderId,
};

/** Whether a request repeats the payment: same merchant, terminal, amounts, currency, capture mode, question for a tip and order. */
export const sameRequest = (payment: Payment, request: PaymentRequest): boolean =>
  Object.values(sameIn).every((isSame) => isSame(payment, request));
