import { z } from "zod";
import { paymentStates, statusReasons } from "../domain/payment/payment.ts";
import type { TerminalMessage } from "../domain/terminal-message.ts";
import { paymentEvents } from "../domain/payment/transitions.ts";
import type { Command, ReadyEffect, WebhookAttempt } from "../ports/commands.ts";
import type { RecordedEntry } from "../ports/payments.ts";
import type { Subject } from "../ports/subjects.ts";

// The shapes of stored records: what is read back is checked, so that a row of another making is an error, not a surprise.

const text = z.string();
const minorUnits = z.int();
const instant = z.iso.datetime({ precision: 3 });

export const historyRecord: z.ZodType<RecordedEntry> = z.object({
  sequence: z.int(),
  at: instant,
  by: z.enum(["partner", "terminal", "platform", "operator"]),
  event: z.enum(["request", ...paymentEvents]),
  from: z.enum(paymentStates).optional(),
  to: z.enum(paymentStates),
  reason: z.enum(statusReasons).optional(),
  reportId: text.optional(),
  detail: text.optional(),
  recordedOnly: z.boolean().optional(),
  alert: z.boolean().optional(),
  commandId: text.optional(),
});

export const terminalMessageRecord: z.ZodType<TerminalMessage> = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("payment"),
    amount: minorUnits,
    vat: minorUnits.optional(),
    currency: text,
    captureMode: z.enum(["manual", "automatic"]),
    merchantName: text.optional(),
    orderId: text.optional(),
  }),
  z.object({ type: z.literal("cancel") }),
  z.object({ type: z.literal("statusQuery"), refundId: text.optional() }),
  z.object({ type: z.literal("capture"), amount: minorUnits, currency: text }),
  z.object({ type: z.literal("void"), amount: minorUnits, currency: text }),
  z.object({ type: z.literal("refund"), refundId: text, amount: minorUnits, currency: text, reason: text }),
  z.object({
    type: z.literal("discount"),
    discountId: text,
    amount: minorUnits,
    newTotal: minorUnits,
    newVat: minorUnits.optional(),
    currency: text,
  }),
  z.object({
    type: z.literal("actionAnswer"),
    actionRequestId: text,
    responseCode: z.enum(["accepted", "declined", "expired", "cancelled"]),
  }),
]);

export const inboxPlace = z.object({ createdAt: text, sessionId: text, sequence: z.int() });

const mailing = z.object({
  terminalId: text,
  place: inboxPlace,
  spelledSessionId: text.optional(),
  message: terminalMessageRecord,
  expiresAt: instant.optional(),
});

const voucher = z.object({ tokenId: text, discountId: text });

const effect: z.ZodType<ReadyEffect> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("admission"), mailing }),
  z.object({ kind: z.literal("message"), mailing }),
  z.object({ kind: z.literal("release") }),
  z.object({
    kind: z.literal("deadline"),
    deadline: z.enum(["acceptance", "expiry", "answer", "capture", "outcome", "action"]),
    due: instant,
  }),
  z.object({
    kind: z.literal("webhook"),
    type: text,
    about: text.optional(),
    eventId: text,
    body: text,
    url: text.optional(),
  }),
  voucher.extend({ kind: z.literal("reservation") }),
  voucher.extend({ kind: z.literal("settlement") }),
  z.object({ kind: z.literal("issue") }),
  z.object({ kind: z.literal("mail") }),
]);

const subject: z.ZodType<Subject> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("payment"), partnerId: text, sessionId: text }),
  z.object({ kind: z.literal("actionRequest"), partnerId: text, actionRequestId: text }),
  z.object({ kind: z.literal("tokenRequest"), landingPageId: text, requestId: text, createdAt: text }),
]);

export const commandRecord: z.ZodType<Omit<Command, "etag">> = z.object({
  commandId: text,
  subject,
  state: z.enum(["ready", "void"]),
  sequence: z.int(),
  effects: z.array(effect),
  done: z.array(text),
});

export const attemptRecord: z.ZodType<WebhookAttempt> = z.object({
  eventId: text,
  type: text,
  attempt: z.int(),
  at: instant,
  outcome: text,
  status: z.int().optional(),
  ms: z.number(),
});
