import { callFrom } from "../../support/calls.ts";
import type { PaymentRequest } from "../../../shared/domain/payment/open-payment.ts";
import type { ReportType } from "../../../shared/domain/payment/events.ts";
import type { Report } from "../../../shared/domain/payment/reports.ts";
import { leaseNextMessage } from "../../../shared/use-cases/terminals/lease-next-message.ts";
import { recordReport } from "../../../shared/use-cases/payments/record-report.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import {
  aPlatform,
  aRequest,
  aTerminal,
  partnerId,
  terminalId,
  type Platform,
  callBy,
} from "../../support/platform.ts";

let reports = 0;

/** A platform with one payment that its terminal may fetch, and the terminal's hands on it. */
export async function aPayment(more: Partial<PaymentRequest> = {}) {
  const platform = await aPlatform();
  const request = aRequest(more);
  await requestPayment(platform.deps, callBy(platform.deps), request);
  await platform.pass();
  const { sessionId } = request;
  return {
    platform,
    fetch: () => fetchNext(platform),
    async tell(type: ReportType, report: Partial<Report> = {}) {
      const reportId = `ffffffff-0000-4000-8000-${String(++reports).padStart(12, "0")}`;
      const recorded = await recordReport(platform.deps, callFrom(platform.deps, aTerminal()), sessionId, {
        reportId,
        type,
        ...report,
      });
      await platform.pass();
      return recorded;
    },
    async now() {
      const stored = await platform.deps.payments.find({ partnerId, sessionId });
      if (!stored) throw new Error("the payment is gone");
      return stored.payment;
    },
    events: () => platform.webhooksSent.map((sent) => (JSON.parse(sent.body) as { type: string }).type),
  };
}

export async function fetchNext(platform: Platform) {
  const view = await platform.deps.terminals.find(terminalId);
  if (!view) throw new Error("the terminal is gone");
  return leaseNextMessage(platform.deps, { caller: view }, 0);
}

export const approval = { amount: 12_550, currency: "SEK" };
