import type { Change } from "./advance.ts";
import { orderOf } from "./order.ts";
import type { Payment } from "./payment.ts";
import { timeouts } from "./timeouts.ts";
import type { Expected } from "../effects.ts";
import { after, type Instant } from "../time.ts";
import type { Timings } from "../timings.ts";

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
  readonly lateApproval: Payment["lateApproval"];
  readonly expiresInSeconds?: number | undefined;
  readonly confirmDuplicate: boolean;
  readonly webhookUrl?: string | undefined;
  readonly references?: Payment["references"];
}

/** A new payment in `pending`. Its effects are the admission with the terminal's message, and the deadline of the terminal's acceptance. */
export function createPayment(
  request: PaymentRequest,
  context: {
    readonly partnerId: string;
    readonly strictOrder: boolean;
    readonly possibleDuplicateOf: string | undefined;
    /** What the request read and found free. */
    readonly expected?: Expected | undefined;
    readonly commandId: string;
    readonly now: Instant;
    readonly timings: Timings;
  },
): Change {
  const { now, partnerId, strictOrder, possibleDuplicateOf, expected, commandId, timings } = context;
  const { amount, vat, currency, captureMode, expiresInSeconds, ...kept } = request;
  const payment: Payment = {
    ...kept,
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
  };
  const { merchantName } = request;
  const message = {
    type: "payment",
    amount,
    vat,
    currency,
    captureMode,
    merchantName,
    orderId: orderOf(request)?.orderId,
  } as const;
  return {
    payment,
    entry: { sequence: 1, at: now, by: "partner", event: "request", to: "pending" },
    effects: [
      { kind: "admission", message, expiresAt: payment.expiresAt, expected },
      {
        kind: "deadline",
        deadline: "acceptance",
        due: timeouts.acceptance.due({ before: undefined, next: payment, now, timings }),
      },
    ],
  };
}

/** Whether a request repeats the payment: same merchant, terminal, amounts, currency, capture mode and order. */
export const sameRequest = (payment: Payment, request: PaymentRequest): boolean =>
  payment.merchantId === request.merchantId &&
  payment.terminalId === request.terminalId &&
  payment.amounts.requested === request.amount &&
  payment.amounts.vat === request.vat &&
  payment.currency === request.currency &&
  payment.captureMode === request.captureMode &&
  orderOf(payment)?.orderId === orderOf(request)?.orderId;
