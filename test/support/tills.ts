import type { ReportType } from "../../shared/domain/payment/record/events.ts";
import type { Report } from "../../shared/domain/payment/record/report.ts";
import type { PaymentRequest } from "../../shared/domain/payment/requests/create-payment.ts";
import type { Terminal } from "../../shared/domain/terminal.ts";
import { recordReport } from "../../shared/use-cases/payments/record-report.ts";
import { refundPayment } from "../../shared/use-cases/payments/refund-payment.ts";
import { requestPayment } from "../../shared/use-cases/payments/request-payment.ts";
import { aPartner } from "./a-partner.ts";
import { approval, fetchNext } from "./a-payment.ts";
import { callFrom, callOf } from "./calls.ts";
import { aRequest, aTerminal, type Platform } from "./platform.ts";

let terminals = 0;
let reports = 0;

/** A terminal of the merchant, with the actions of its partner and its own. Many tills sell for one merchant. */
export async function aTill(platform: Platform, more: Partial<Terminal> = {}) {
  const { deps } = platform;
  const terminal = aTerminal({
    terminalId: `cccccccc-0000-4000-8000-${String(++terminals + 5_000).padStart(12, "0")}`,
    ...more,
  });
  const { terminalId, partnerId } = terminal;
  await deps.terminals.save(terminal, undefined);
  await deps.partners.addTerminal(partnerId, terminalId);
  await deps.terminals.seen(terminalId, deps.clock.now());
  const call = () => callOf(deps, { partnerId, keyId: "k1" });
  const find = async (sessionId: string) => {
    const stored = await deps.payments.find({ partnerId, terminalId, sessionId });
    if (!stored) throw new Error("the payment is gone");
    return stored.payment;
  };
  /** The terminal sends a report without naming a message. */
  const sendReport = async (sessionId: string, type: ReportType, more: Partial<Report> = {}) => {
    const reportId = `ffffffff-1000-4000-8000-${String(++reports).padStart(12, "0")}`;
    const report = { reportId, type, ...approval, acquirer: { authorisationCode: sessionId }, ...more };
    await recordReport(deps, callFrom(deps, terminal), sessionId, report);
  };
  return {
    terminalId,
    find,
    sendReport,
    /** The terminal fetches all messages that it may. */
    async fetchAll() {
      let message = await fetchNext(platform, terminalId);
      while (message !== undefined) message = await fetchNext(platform, terminalId);
    },
    /** Requests a payment of the order, captured at once when it is approved. The workers do not run yet. */
    async ask(orderId: string | undefined, more: Partial<PaymentRequest> = {}) {
      const request = aRequest({ terminalId, captureMode: "automatic", references: { orderId }, ...more });
      return { sessionId: request.sessionId, answer: await requestPayment(deps, call(), request) };
    },
    /** Makes a sale: the payment is requested, approved and captured. Throws if it is refused. */
    async sell(orderId: string | undefined, more: Partial<PaymentRequest> = {}) {
      const { sessionId, answer } = await this.ask(orderId, more);
      if (!answer.ok) throw new Error(answer.error.code);
      await platform.pass();
      await sendReport(sessionId, "authorized");
      await platform.pass();
      return find(sessionId);
    },
    /** Refunds all of a payment. */
    async giveBack(sessionId: string) {
      const refundAmount = 125.5;
      await refundPayment(deps, call(), {
        sessionId,
        terminalId,
        currency: "SEK",
        refundAmount,
        reason: "returned",
        refundId: sessionId,
      });
      await platform.pass();
      await sendReport(sessionId, "refunded", { refundId: sessionId });
      await platform.pass();
    },
  };
}
export type Till = Awaited<ReturnType<typeof aTill>>;

/** A till of the same merchant that another partner serves. */
export async function aTillOfAnotherPartner(platform: Platform): Promise<Till> {
  const partnerId = "aaaaaaaa-0000-4000-8000-000000000002";
  const webhookUrl = "https://another.example/";
  await platform.deps.partners.save(aPartner({ partnerId, webhookUrl }), undefined);
  return aTill(platform, { partnerId });
}
