import { z } from "zod";
import { reportTypes, type Report } from "../domain/reports.ts";
import { amount, currency, minorUnits } from "./amount.ts";
import { canonical, identifier } from "./identifier.ts";

const short = z.string().max(64);
const lines = z.array(z.string().max(120)).max(100);

/** What a terminal says of a payment. An approval must say which amount, in which currency, the card was charged. */
const paymentReport = z
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
  .transform((body, context) => {
    const { type, detail, card, acquirer, receipt, currency, discountID } = body;
    if (type === "authorized" && (body.amount === undefined || currency === undefined)) {
      context.addIssue({ code: "custom", path: ["amount"], message: "an approval carries amount and currency" });
    }
    const charged =
      body.amount === undefined || currency === undefined
        ? undefined
        : minorUnits(context, "amount", body.amount, currency, { positive: true });
    const report: Report = {
      reportId: canonical(body.reportID),
      type,
      messageId: body.messageID && canonical(body.messageID),
      refundId: body.refundID,
      discountId: discountID && canonical(discountID),
      amount: charged,
      currency,
      detail,
      card,
      acquirer,
      receipt,
    };
    return { of: "payment" as const, spelledId: body.reportID, sessionId: canonical(body.sessionID), report };
  });

/** The terminal has the answer to a question that it asked. */
const answerReport = z
  .object({ reportID: identifier, type: z.literal("acknowledged"), messageID: identifier, actionRequestID: identifier })
  .transform((body) => ({
    of: "answer" as const,
    spelledId: body.reportID,
    messageId: canonical(body.messageID),
    actionRequestId: canonical(body.actionRequestID),
  }));

/** The terminal has started anew, knowing these sessions. */
const startReport = z
  .object({ reportID: identifier, type: z.literal("started"), sessions: z.array(identifier).max(1000).optional() })
  .transform((body) => ({ of: "start" as const, spelledId: body.reportID, reportId: canonical(body.reportID) }));

/** What a terminal reports: of a payment, of an answer it got, or of itself. */
export const terminalReportBody = z.unknown().transform((body, context) => {
  const told = typeof body === "object" && body !== null ? body : {};
  const kind =
    "type" in told && told.type === "started" ? startReport : "actionRequestID" in told ? answerReport : paymentReport;
  const parsed = kind.safeParse(body);
  if (parsed.success) return parsed.data;
  for (const { path, message, code } of parsed.error.issues)
    context.issues.push({ code: "custom", path, message, input: body, params: { code } });
  return z.NEVER;
});
