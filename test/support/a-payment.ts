import type { InboxRow } from "../../shared/stores/inboxes.ts";
import type { ReportType } from "../../shared/domain/payment/record/events.ts";
import { createPayment, type PaymentRequest } from "../../shared/domain/payment/requests/create-payment.ts";
import type { Charge, ChargeState } from "../../shared/domain/payment/record/charge.ts";
import type { Payment, PaymentState } from "../../shared/domain/payment/record/payment.ts";
import type { Report } from "../../shared/domain/payment/record/report.ts";

import type { Terminal } from "../../shared/domain/terminal.ts";
import { standardTimings } from "../../shared/domain/timings.ts";
import type { PaymentKey } from "../../shared/ports/subjects.ts";
import { addDiscount } from "../../shared/use-cases/payments/add-discount.ts";
import { cancelPayment } from "../../shared/use-cases/payments/cancel-payment.ts";
import { capturePayment } from "../../shared/use-cases/payments/capture-payment.ts";
import { withdrawRefund } from "../../shared/use-cases/payments/withdraw-refund.ts";
import { recordReport } from "../../shared/use-cases/payments/record-report.ts";
import { refundPayment } from "../../shared/use-cases/payments/refund-payment.ts";
import { requestPayment } from "../../shared/use-cases/payments/request-payment.ts";
import { leaseNextMessage, type Told } from "../../shared/use-cases/terminals/lease-next-message.ts";
import { callFrom } from "./calls.ts";
import { aPlatform, aRequest, aTerminal, callBy, partnerId, terminalId, type Platform } from "./platform.ts";

export const now = "2026-11-21T10:00:00.000Z";
export const timings = standardTimings;

/** The approval of a test's payment by its terminal. */
export const approval = { chargeId: "charge-1", amount: 12_550, currency: "SEK" };

/** A payment of 125.50 SEK in a state, with the amounts that belong to it. */
export function aPaymentIn(status: PaymentState, more: Partial<Payment> = {}): Payment {
  const context = {
    partnerId,
    strictOrder: false,
    possibleDuplicateOf: undefined,
    asksTips: true,
    commandId: "request-1",
    now,
    timings,
  };
  const { payment } = createPayment(aRequest(), context);
  const approved = ["authorized", "captureRequested", "captured", "voidRequested", "voided"].includes(status);
  const { requested } = payment.amounts;
  return {
    ...payment,
    status,
    amounts: {
      ...payment.amounts,
      authorized: approved ? requested : 0,
      captured: status === "captured" ? requested : 0,
    },
    charges: approved ? [aCharge(chargeIn[status] ?? "authorized")] : [],
    deadlines: status === "pending" ? payment.deadlines : [],
    ...more,
  };
}

/** The state of the wanted charge in payment states other than authorized. */
const chargeIn: Partial<Record<PaymentState, ChargeState>> = { captured: "captured", voided: "voided" };

/** A charge of 125.50 SEK. */
export const aCharge = (status: ChargeState, more: Partial<Charge> = {}): Charge => ({
  chargeId: "charge-1",
  amount: 12_550,
  currency: "SEK",
  status,
  tries: 0,
  acquirer: { authorisationCode: "A1" },
  createdAt: now,
  updatedAt: now,
  ...more,
});

let terminals = 0;
let reports = 0;

/** A payment of 125.50 SEK on its own terminal, which may fetch it, with the actions of its partner and terminal. */
export async function aPaymentOn(platform: Platform, more: Partial<PaymentRequest> = {}) {
  const { deps } = platform;
  const terminal = aTerminal({ terminalId: `cccccccc-0000-4000-8000-${String(++terminals + 100).padStart(12, "0")}` });
  await deps.terminals.save(terminal, undefined);
  await deps.partners.addTerminal(partnerId, terminal.terminalId);
  await deps.terminals.seen(terminal.terminalId, deps.clock.now());
  return requested(platform, terminal, more);
}

/** A platform with one payment of 125.50 SEK on its terminal, which may fetch it, with the actions of its partner and terminal. */
export async function aPayment(more: Partial<PaymentRequest> = {}) {
  const platform = await aPlatform();
  return { platform, ...(await requested(platform, aTerminal(), more)) };
}

/** Another payment on the platform, at this terminal. */
export async function requested(platform: Platform, terminal: Terminal, more: Partial<PaymentRequest>) {
  const { deps } = platform;
  const { terminalId } = terminal;
  const request = aRequest({ terminalId, ...more });
  const { sessionId } = request;
  const key: PaymentKey = { partnerId, terminalId, sessionId };
  await requestPayment(deps, callBy(deps), request);
  await platform.pass();
  return {
    sessionId,
    terminalId,
    key,
    spend: (voucherCode: string, named: { discountId?: string } = {}) =>
      addDiscount(deps, callBy(deps), { sessionId, voucherCode, ...named }),
    cancel: () => cancelPayment(deps, callBy(deps), { sessionId, terminalId }),
    capture: (more: { deliverWithinSeconds?: number; idempotencyKey?: string } = {}) =>
      capturePayment(deps, callBy(deps), { sessionId, terminalId, ...more }),
    /** The partner withdraws a refund. */
    withdraw: (refundId: string, more: { idempotencyKey?: string } = {}) =>
      withdrawRefund(deps, callBy(deps), { sessionId, terminalId, refundId, ...more }),
    /** The partner adds a discount of this amount, in the major unit. */
    reduce: (discountAmount: number, named: { discountId?: string; reason?: string } = {}) =>
      addDiscount(deps, callBy(deps), { sessionId, discountAmount, ...named }),
    /** The partner requests a refund under these names, and the workers carry out its effects. */
    async refund(
      refundAmount: number,
      named: {
        refundId?: string;
        idempotencyKey?: string;
        confirmDuplicate?: boolean;
        deliverWithinSeconds?: number;
      } = {},
      reason = "a return",
    ) {
      const input = { sessionId, terminalId, currency: "SEK", refundAmount, reason, ...named };
      const refunded = await refundPayment(deps, callBy(deps), input);
      await platform.pass();
      return refunded.ok ? { ...refunded.value, code: "ok" } : { ...refunded.error, replayed: false };
    },
    /** The terminal fetches its next message, and may name the previous one as received. */
    fetch: (received?: string) => fetchNext(platform, terminalId, { received }),
    /** The kinds of the messages that the terminal gets, or gets again until it answers. */
    open: async () => (await deps.inboxes.unanswered(terminalId)).map(({ message }) => message.type),
    /** The terminal sends a report, and the workers carry out its effects, unless they are made to wait. */
    async sendReport(type: ReportType, report: Partial<Report> = {}, workers: "run" | "wait" = "run") {
      const reportId = `ffffffff-0000-4000-8000-${String(++reports).padStart(12, "0")}`;
      const recorded = await recordReport(deps, callFrom(deps, terminal), sessionId, { reportId, type, ...report });
      if (workers === "run") await platform.pass();
      return recorded;
    },
    async now() {
      const stored = await deps.payments.find(key);
      if (!stored) throw new Error("the payment is gone");
      return stored.payment;
    },
    /** The types of the partner's events, for all payments. */
    events: () => platform.webhooksSent.map((sent) => (JSON.parse(sent.body) as { type: string }).type),
    /** The discounts that are offered to the terminal. */
    async offers() {
      const rows = await deps.inboxes.unanswered(terminalId);
      return rows.flatMap((row) => (row.message.type === "discount" ? [row.message] : []));
    },
  };
}

/** The message of a poll that is not refused. */
export async function leased(polled: ReturnType<typeof leaseNextMessage>): Promise<InboxRow | undefined> {
  const answer = await polled;
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value;
}

/** The message that a terminal gets from one poll, without waiting. */
export async function fetchNext(platform: Platform, from: string = terminalId, told: Told = {}) {
  const view = await platform.deps.terminals.find(from);
  if (!view) throw new Error("the terminal is gone");
  return leased(leaseNextMessage(platform.deps, { caller: view }, 0, told));
}

/** Whether the terminal's next payment is accepted. */
export async function isFree(platform: Platform): Promise<boolean> {
  const { deps } = platform;
  const next = aRequest();
  const requested = await requestPayment(deps, callBy(deps), next);
  await platform.pass();
  return requested.ok && (await deps.terminals.find(terminalId))?.claim.holder?.sessionId === next.sessionId;
}
