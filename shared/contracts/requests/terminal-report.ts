import * as z from "zod";
import { reportTypes, type ReportType } from "../../domain/payment/record/events.ts";
import { textLimits } from "../../domain/payment/record/record-limits.ts";
import type { Report } from "../../domain/payment/record/report.ts";
import { toMinorUnits } from "../../domain/money.ts";
import { amount, currency, minorUnits } from "../amount.ts";
import {
  actionRequestID,
  businessDay,
  chargeID,
  discountID,
  messageID,
  refundID,
  reportID,
  sessionID,
} from "../fields.ts";
import { canonical } from "../identifier.ts";
import type { Doubt, UnreadBody } from "./unread-body.ts";
import { acquirer, card, receipt } from "../objects/card-receipt.ts";
import { declineCode, hostCode } from "../objects/decline-codes.ts";
import { can, device } from "../objects/device.ts";
import { agoMs, membersWithCardData, withStorableDevice, withStorableTexts } from "./report-texts.ts";

const kind = <const Type extends string>(type: Type) => z.literal(type).meta({ description: "The event." });

/** The members that a report about money must have, so that it can be recorded. */
const carries: Partial<Record<ReportType, readonly ("chargeID" | "amount" | "currency")[]>> = {
  authorized: ["chargeID", "amount", "currency"],
  captured: ["chargeID", "amount", "currency"],
  captureFailed: ["chargeID"],
  voided: ["chargeID"],
  voidFailed: ["chargeID"],
  refunded: ["amount", "currency"],
};
const answeredMessageID = messageID.optional().meta({ description: "The message that the report answers." });

/** A terminal's report about a payment. An approval must have the amount and currency of the charge. */
const paymentMembers = z
  .object({
    reportID,
    type: z.enum(reportTypes).meta({ description: "The event." }),
    sessionID,
    messageID: answeredMessageID,
    chargeID: chargeID.optional(),
    refundID: refundID.optional(),
    discountID: discountID.optional(),
    amount: amount.optional(),
    currency: currency.optional(),
    tipAmount: amount.optional().meta({
      description: "The part of the amount that the customer added as a tip. Absent if the terminal does not know it.",
    }),
    businessDay: businessDay.optional().meta({
      description:
        "The terminal's business day on which the money moved. By default the UTC day of the report, which also counts if the day is more than one day before the payment's request or more than one day ahead.",
    }),
    agoMs: agoMs.optional(),
    detail: z.string().max(textLimits.detail).optional().meta({ description: "The reason, in the terminal's words." }),
    declineCode: declineCode.optional(),
    hostCode: hostCode.optional(),
    card: card.optional(),
    acquirer: acquirer.optional(),
    receipt: receipt.optional(),
  })
  .meta({
    id: "PaymentReport",
    description:
      "An event of a payment. `authorized` and `captured` have `chargeID`, `amount` and `currency`. `captureFailed`, `voided` and `voidFailed` have `chargeID`. `refunded` has `amount` and `currency`. Long texts are cut. `declined`, `failed`, `captureFailed`, `voidFailed` and `refundFailed` may have `declineCode` and `hostCode`. `authorized` and `captured` may have `tipAmount`. If `tipAmount`, `agoMs`, `detail`, `declineCode`, `hostCode`, `card`, `acquirer` or `receipt` cannot be read, it is ignored and the report still counts. A `declineCode` that we do not know becomes `other`.",
  });

/** The tip in minor units. A tip that cannot be read is ignored, because the report is of money. */
function tipOf({ tipAmount, currency }: z.infer<typeof paymentMembers>): number | undefined {
  if (tipAmount === undefined || currency === undefined) return undefined;
  const tip = toMinorUnits(tipAmount, currency);
  return tip.ok ? tip.value : undefined;
}

const paymentReport = paymentMembers.transform((body, context) => {
  const { type, businessDay, agoMs, detail, declineCode, hostCode, card, acquirer, receipt } = body;
  const { currency, refundID, discountID } = body;
  for (const field of carries[type] ?? []) {
    if (body[field] === undefined)
      context.addIssue({ code: "custom", path: [field], message: `is missing: ${type} must have it` });
  }
  const charged =
    body.amount === undefined || currency === undefined
      ? undefined
      : minorUnits(context, { field: "amount", value: body.amount, currency, positive: true });
  const report: Report = {
    reportId: canonical(body.reportID),
    type,
    messageId: body.messageID && canonical(body.messageID),
    chargeId: body.chargeID && canonical(body.chargeID),
    refundId: refundID && canonical(refundID),
    discountId: discountID && canonical(discountID),
    amount: charged,
    currency,
    tipAmount: tipOf(body),
    businessDay,
    agoMs,
    detail,
    declineCode,
    hostCode,
    card,
    acquirer,
    receipt,
  };
  return { of: "payment" as const, idAsReceived: body.reportID, sessionId: canonical(body.sessionID), report };
});

/** A terminal's report that it has received the response to its action request. */
const answerMembers = z
  .object({ reportID, type: kind("acknowledged"), messageID: answeredMessageID, actionRequestID })
  .meta({ id: "AnswerReport", description: "The answer to an action request has arrived." });

const answerReport = answerMembers.transform((body) => ({
  of: "answer" as const,
  idAsReceived: body.reportID,
  actionRequestId: canonical(body.actionRequestID),
}));

/** A terminal's report that it has restarted. */
const startMembers = z
  .object({
    reportID,
    type: kind("started"),
    memory: z.enum(["kept", "lost"]).default("lost").meta({
      description: "Whether the terminal still knows its messages, charges and refunds. `lost` by default.",
    }),
    device: device.optional(),
    can: can.optional(),
  })
  .meta({
    id: "StartReport",
    description:
      "The terminal has started. It reports this first, and repeats the report until it gets a response. `device` and `can` replace those of the previous start. A start without them clears them. Long texts are cut, and what cannot be read is left out.",
  });

const startReport = startMembers.transform((body) => ({
  of: "start" as const,
  idAsReceived: body.reportID,
  reportId: canonical(body.reportID),
  memory: body.memory,
  described: { device: body.device, can: body.can ?? [] },
}));

/** A report as the documents show it. Each report is read by the schema of its own kind, so that a problem names a field of that kind. */
export const terminalReport = z.union([paymentReport, answerReport, startReport]).meta({ id: "Report" });

const membersOf = (sent: unknown): object => (typeof sent === "object" && sent !== null ? sent : {});

/** The report with the texts that its kind can store. */
function readable(kind: typeof paymentReport | typeof answerReport | typeof startReport, sent: unknown): unknown {
  if (kind === paymentReport) return withStorableTexts(sent, Object.keys(paymentMembers.shape));
  return kind === startReport ? withStorableDevice(sent) : sent;
}

/**
 * A terminal's report about a payment, about a response that it got, or about itself.
 *
 * - `sent` is the body as it was received.
 * - `cardDataIn` names the members with card data.
 * - A wrong report is read as `refused`, because its information about money must not be lost.
 */
export const terminalReportBody = z.unknown().transform((sent) => {
  const members = membersOf(sent);
  const kind =
    "type" in members && members.type === "started"
      ? startReport
      : "actionRequestID" in members
        ? answerReport
        : paymentReport;
  const parsed = kind.safeParse(readable(kind, sent));
  const cardDataIn = membersWithCardData(sent);
  return parsed.success
    ? { ...parsed.data, sent, cardDataIn }
    : { of: "refused" as const, readAs: kind as z.ZodType, issues: parsed.error.issues, sent, cardDataIn };
});

/** If one of these is doubted, the report is read without it. A doubt about any other member that the platform uses rejects the report. */
const uncertain: readonly string[] = ["tipAmount", "agoMs", "declineCode", "hostCode", "device", "can"];
const usedMembers: readonly string[] = [
  ...new Set([paymentMembers, answerMembers, startMembers].flatMap(({ shape }) => Object.keys(shape))),
].filter((name) => !uncertain.includes(name));
const isUsed = ({ kind, path: [member = "", ...within] }: Doubt): boolean =>
  kind === "repeated name" ? usedMembers.includes(member) : member === "amount" && within.length === 0;

/**
 * A report whose body was rejected before its schema could read it. If the doubts are only about members that the platform does not use,
 * or about its age or its codes, the report is read anyway, without those. Otherwise it is `doubtful`, with the doubtful members, or `unreadable`.
 */
export function unreadReport({ json, ...unreadable }: UnreadBody) {
  if (!json) return { of: "unreadable" as const, ...unreadable, cardDataIn: [] };
  const wrong = [...new Set(json.doubts.filter(isUsed).map(({ path: [member = ""] }) => member))];
  const doubted = uncertain.filter((name) => json.doubts.some(({ path: [member] }) => member === name));
  const without = Object.fromEntries(doubted.map((name) => [name, undefined]));
  const certain = doubted.length > 0 ? { ...membersOf(json.value), ...without } : json.value;
  if (wrong.length === 0) return terminalReportBody.parse(certain);
  return { of: "doubtful" as const, problem: unreadable.problem, wrong, sent: json.asWritten, cardDataIn: [] };
}
