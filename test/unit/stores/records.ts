import type * as z from "zod";
import { accessTokenTemplateRecord } from "../../../shared/domain/access-token-template.ts";
import { accessTokenRecord } from "../../../shared/domain/access-token.ts";
import { actionRequestRecord } from "../../../shared/domain/action-request.ts";
import { alertRecord } from "../../../shared/domain/alert.ts";
import { bookingRecord } from "../../../shared/domain/booking.ts";
import { issuanceRecord, issuanceShardRecord } from "../../../shared/domain/issuance.ts";
import { landingPageRecord, tokenRequestRecord } from "../../../shared/domain/landing-page.ts";
import { receiptRecord } from "../../../shared/domain/payment/record/card.ts";
import { paymentRecord } from "../../../shared/domain/payment/record/payment.ts";
import { recordedReportRecord } from "../../../shared/domain/payment/reports/answered.ts";
import { orderHolderRecord } from "../../../shared/domain/payment/requests/duplicate.ts";
import { inboxRecord } from "../../../shared/domain/terminal-inbox.ts";
import { closingRecord } from "../../../shared/domain/terminal-day/terminal-day.ts";
import { selfDescriptionRecord } from "../../../shared/domain/device.ts";
import { claimRecord, terminalRecord } from "../../../shared/domain/terminal.ts";
import { announcementBody } from "../../../shared/ports/announcements.ts";
import { bareAlertBody } from "../../../shared/ports/bare-alerts.ts";
import { feedEventRecord, feedHeadRecord } from "../../../shared/stores/feeds.ts";
import { rungRecord } from "../../../shared/stores/rung-bells.ts";
import { countRecord } from "../../../shared/stores/access-tokens.ts";
import { commandRecord } from "../../../shared/stores/commands.ts";
import { attemptRecord } from "../../../shared/domain/webhook-attempt.ts";
import { webhookTestsRecord } from "../../../shared/domain/webhook-tests.ts";
import { templateLookRecord } from "../../../shared/domain/template-look.ts";
import { mailTroubleRecord } from "../../../shared/domain/mail-trouble.ts";
import { codeKeyDayRecord, codeKeyExtensionRecord } from "../../../shared/stores/code-key-days.ts";
import { keyHolderRecord } from "../../../shared/stores/idempotency-keys.ts";
import { createdPaymentRecord, sessionRecord } from "../../../shared/stores/sessions.ts";
import { markRecord } from "../../../shared/stores/marks.ts";
import { apiKeyRecord, keyUseRecord, partnerRecord } from "../../../shared/stores/partners.ts";
import { operatorActionRecord } from "../../../shared/stores/operator-actions.ts";
import { dayTerminalRecord, listedDayRecord, partnerDayRecord } from "../../../shared/stores/partner-days.ts";
import { recordedEntryRecord, tombstoneRecord } from "../../../shared/stores/payments.ts";
import { dayRecord } from "../../../shared/stores/terminal-days.ts";
import {
  announcements,
  attempt,
  booking,
  commands,
  createdPayment,
  feedEvent,
  feedHead,
  inboxRows,
  keyHolders,
  marks,
  rung,
} from "./full-commands.ts";
import { closing, day } from "./full-days.ts";
import { apiKey, claim, operatorAction, partner, selfDescription, terminal } from "./full-partners.ts";
import { alerts, bareAlerts, historyEntry, orderHolder, payment, report, tombstone } from "./full-payments.ts";
import {
  actionRequest,
  codeKeyDay,
  codeKeyExtension,
  issuance,
  issuanceShard,
  issuedToken,
  mailTrouble,
  templateLook,
  landingPage,
  templates,
  tokenRequest,
  tokens,
} from "./full-tokens.ts";

/** Every stored or sent record, by its schema's name, with handwritten full records. */
export const records: Readonly<Record<string, { readonly schema: z.ZodType; readonly full: readonly unknown[] }>> = {
  accessTokenRecord: { schema: accessTokenRecord, full: tokens },
  accessTokenTemplateRecord: { schema: accessTokenTemplateRecord, full: templates },
  actionRequestRecord: { schema: actionRequestRecord, full: [actionRequest] },
  alertRecord: { schema: alertRecord, full: alerts },
  announcementBody: { schema: announcementBody, full: announcements },
  apiKeyRecord: { schema: apiKeyRecord, full: [apiKey] },
  keyHolderRecord: { schema: keyHolderRecord, full: keyHolders },
  keyUseRecord: { schema: keyUseRecord, full: [{ day: "2026-11-21", network: "203.0.113.0/24" }] },
  attemptRecord: { schema: attemptRecord, full: [attempt] },
  bareAlertBody: { schema: bareAlertBody, full: bareAlerts },
  bookingRecord: { schema: bookingRecord, full: [booking] },
  selfDescriptionRecord: { schema: selfDescriptionRecord, full: [selfDescription] },
  claimRecord: { schema: claimRecord, full: [claim] },
  closingRecord: { schema: closingRecord, full: [closing] },
  templateLookRecord: { schema: templateLookRecord, full: [templateLook] },
  mailTroubleRecord: { schema: mailTroubleRecord, full: [mailTrouble] },
  codeKeyDayRecord: { schema: codeKeyDayRecord, full: [codeKeyDay] },
  codeKeyExtensionRecord: { schema: codeKeyExtensionRecord, full: [codeKeyExtension] },
  commandRecord: { schema: commandRecord, full: commands },
  countRecord: { schema: countRecord, full: [{ issued: [issuedToken] }] },
  createdPaymentRecord: { schema: createdPaymentRecord, full: [createdPayment] },
  dayRecord: { schema: dayRecord, full: [day] },
  dayTerminalRecord: { schema: dayTerminalRecord, full: [{ terminalId: "terminal-1" }] },
  issuanceRecord: { schema: issuanceRecord, full: [issuance] },
  issuanceShardRecord: { schema: issuanceShardRecord, full: [issuanceShard] },
  inboxRecord: { schema: inboxRecord, full: inboxRows },
  landingPageRecord: { schema: landingPageRecord, full: [landingPage] },
  listedDayRecord: { schema: listedDayRecord, full: [{ partnerId: "partner-1", day: "2026-11-21" }] },
  markRecord: { schema: markRecord, full: marks },
  operatorActionRecord: { schema: operatorActionRecord, full: [operatorAction] },
  orderHolderRecord: { schema: orderHolderRecord, full: [orderHolder] },
  partnerDayRecord: { schema: partnerDayRecord, full: [{ state: "closed", closedAt: "2026-11-24T12:00:00.000Z" }] },
  partnerRecord: { schema: partnerRecord, full: [partner] },
  paymentRecord: { schema: paymentRecord, full: [payment] },
  recordedEntryRecord: { schema: recordedEntryRecord, full: [historyEntry] },
  receiptRecord: { schema: receiptRecord, full: [payment.receipt] },
  recordedReportRecord: { schema: recordedReportRecord, full: [report] },
  feedEventRecord: { schema: feedEventRecord, full: [feedEvent] },
  feedHeadRecord: { schema: feedHeadRecord, full: [feedHead] },
  rungRecord: { schema: rungRecord, full: [rung] },
  sessionRecord: { schema: sessionRecord, full: [{ terminalId: "terminal-1", createdAt: "2026-11-21T10:00:00.000Z" }] },
  terminalRecord: { schema: terminalRecord, full: [terminal] },
  tombstoneRecord: { schema: tombstoneRecord, full: [tombstone] },
  tokenRequestRecord: { schema: tokenRequestRecord, full: [tokenRequest] },
  webhookTestsRecord: { schema: webhookTestsRecord, full: [{ hour: "2026-11-21T10:00:00.000Z", count: 3 }] },
};
