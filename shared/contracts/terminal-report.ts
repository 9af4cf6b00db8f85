import { z } from "zod";
import { reportTypes, type Report } from "../domain/reports.ts";
import { amount, currency, minorUnits } from "./amount.ts";
import { canonical, identifier } from "./identifier.ts";

const short = z.string().max(64);
const lines = z.array(z.string().max(120)).max(100);

/** What a terminal reports. An approval must say which amount, in which currency, the card was charged. */
export const terminalReportBody = z
  .object({
    reportID: identifier,
    type: z.enum(reportTypes),
    sessionID: identifier,
    messageID: identifier.optional(),
    refundID: identifier.optional(),
    discountID: identifier.optional(),
    amount: amount.optional(),
    currency: currency.optional(),
    detail: z.string().max(256).optional(),
    card: z
      .object({
        brand: short.optional(),
        last4: z
          .string()
          .regex(/^\d{4}$/)
          .optional(),
        entryMode: short.optional(),
      })
      .optional(),
    acquirer: z
      .object({
        authorisationCode: short.optional(),
        rrn: short.optional(),
        stan: short.optional(),
        tid: short.optional(),
        mid: short.optional(),
      })
      .optional(),
    receipt: z.object({ customer: lines.optional(), merchant: lines.optional() }).optional(),
  })
  .transform((body, context): { sessionId: string; report: Report } => {
    const { type } = body;
    if (type === "authorized" && (body.amount === undefined || body.currency === undefined)) {
      context.addIssue({ code: "custom", path: ["amount"], message: "an approval carries amount and currency" });
    }
    const charged =
      body.amount === undefined || body.currency === undefined
        ? undefined
        : minorUnits(context, "amount", body.amount, body.currency, { positive: true });
    const { detail, card, acquirer, receipt, currency } = body;
    const reportId = canonical(body.reportID);
    const messageId = body.messageID === undefined ? undefined : canonical(body.messageID);
    const { refundID: refundId, discountID: discountId } = body;
    const report = {
      reportId,
      type,
      messageId,
      refundId,
      discountId,
      amount: charged,
      currency,
      detail,
      card,
      acquirer,
      receipt,
    };
    return { sessionId: canonical(body.sessionID), report };
  });
