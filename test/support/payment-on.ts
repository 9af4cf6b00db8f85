import { callFrom } from "./calls.ts";
import type { PaymentRequest } from "../../shared/domain/payment/open-payment.ts";
import type { ReportType } from "../../shared/domain/payment/events.ts";
import type { Report } from "../../shared/domain/payment/reports.ts";
import { addDiscount } from "../../shared/use-cases/payments/add-discount.ts";
import { cancelPayment } from "../../shared/use-cases/payments/cancel-payment.ts";
import { capturePayment } from "../../shared/use-cases/payments/capture-payment.ts";
import { recordReport } from "../../shared/use-cases/payments/record-report.ts";
import { requestPayment } from "../../shared/use-cases/payments/request-payment.ts";
import { aRequest, aTerminal, partnerId, type Platform, callBy } from "./platform.ts";

let terminals = 0;
let reports = 0;

/** A payment of 125.50 SEK on a terminal of its own, and the hands of its partner and terminal. */
export async function aPaymentOn(platform: Platform, more: Partial<PaymentRequest> = {}) {
  const { deps } = platform;
  const terminal = aTerminal({ terminalId: `cccccccc-0000-4000-8000-${String(++terminals + 100).padStart(12, "0")}` });
  const { terminalId } = terminal;
  await deps.terminals.save(terminal, undefined);
  await deps.terminals.seen(terminalId, deps.clock.now());
  const request = aRequest({ terminalId, ...more });
  const { sessionId } = request;
  await requestPayment(deps, callBy(deps), request);
  await platform.pass();
  return {
    sessionId,
    spend: (voucherCode: string, named: { discountId?: string } = {}) =>
      addDiscount(deps, callBy(deps), { sessionId, voucherCode, ...named }),
    /** Its terminal reports, and the workers see to what that makes happen, unless they are told to wait. */
    async tell(type: ReportType, report: Partial<Report> = {}, workers: "run" | "wait" = "run") {
      const reportId = `ffffffff-0000-4000-8000-${String(++reports + 5_000).padStart(12, "0")}`;
      await recordReport(deps, callFrom(deps, terminal), sessionId, { reportId, type, ...report });
      if (workers === "run") await platform.pass();
    },
    cancel: () => cancelPayment(deps, callBy(deps), { sessionId, terminalId }),
    capture: () => capturePayment(deps, callBy(deps), { sessionId, terminalId }),
    async now() {
      const stored = await deps.payments.find({ partnerId, sessionId });
      if (!stored) throw new Error("the payment is gone");
      return stored.payment;
    },
    /** The discounts that its terminal was told of. */
    async offers() {
      const rows = await deps.inboxes.open(terminalId);
      return rows.flatMap((row) => (row.message.type === "discount" ? [row.message] : []));
    },
  };
}
