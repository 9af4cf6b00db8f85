import * as z from "zod";
import type { AlertSubject } from "../domain/alert.ts";
import type { SubjectKindOf } from "../domain/effects.ts";
import { tokenRequestRecord } from "../domain/landing-page.ts";
import type { RecordOf } from "../domain/record.ts";
import { terminalDayRecord } from "../domain/terminal-day/terminal-day.ts";
import type { ScopeNames } from "./log.ts";

// The subjects of commands, by their keys.

/** A payment is stored with its terminal, which never changes its partner. */
export const paymentKeyRecord = z.object({ partnerId: z.string(), terminalId: z.string(), sessionId: z.string() });
export interface PaymentKey extends RecordOf<typeof paymentKeyRecord> {}

const actionKey = z.object({ partnerId: z.string(), actionRequestId: z.string() });
export interface ActionKey extends RecordOf<typeof actionKey> {}

/** The business day of one terminal. The days of a partner's terminals are stored together. */
const terminalDayKey = terminalDayRecord.pick({ partnerId: true, terminalId: true, day: true });
export interface TerminalDayKey extends RecordOf<typeof terminalDayKey> {}

/** The business day of a partner: the file of all its terminals. */
const partnerDayKey = terminalDayKey.pick({ partnerId: true, day: true });
export interface PartnerDayKey extends RecordOf<typeof partnerDayKey> {}

/** A page's requests are sorted by age, so that the latest are read without the others. */
const requestKey = tokenRequestRecord.pick({ landingPageId: true, requestId: true, createdAt: true });
export interface RequestKey extends RecordOf<typeof requestKey> {}

/** The subject of a command. The command's row is stored next to the subject's own record. */
export const subjectRecord = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("payment"), ...paymentKeyRecord.shape }),
  z.object({ kind: z.literal("actionRequest"), ...actionKey.shape }),
  z.object({ kind: z.literal("tokenRequest"), ...requestKey.shape }),
  z.object({ kind: z.literal("terminalDay"), ...terminalDayKey.shape }),
  z.object({ kind: z.literal("partnerDay"), ...partnerDayKey.shape }),
]);
export type Subject = RecordOf<typeof subjectRecord>;

/** The key of a payment, without its other members. */
export const paymentKeyOf = ({ partnerId, terminalId, sessionId }: PaymentKey): PaymentKey => ({
  partnerId,
  terminalId,
  sessionId,
});

/** The payment as the subject of commands, announcements and events. */
export const paymentSubjectOf = (key: PaymentKey): Extract<Subject, { readonly kind: "payment" }> => ({
  kind: "payment",
  ...paymentKeyOf(key),
});

export const isSamePayment = (one: PaymentKey, other: PaymentKey): boolean =>
  one.partnerId === other.partnerId && one.terminalId === other.terminalId && one.sessionId === other.sessionId;

/** The subject by the names of the log. */
export function namesOfSubject(subject: Subject): ScopeNames {
  switch (subject.kind) {
    case "payment":
      return { partner: subject.partnerId, session: subject.sessionId };
    case "actionRequest":
      return { partner: subject.partnerId, actionRequest: subject.actionRequestId };
    case "tokenRequest":
      return { landingPage: subject.landingPageId, tokenRequest: subject.requestId };
    case "terminalDay":
      return { partner: subject.partnerId, terminal: subject.terminalId, day: subject.day };
    case "partnerDay":
      return { partner: subject.partnerId, day: subject.day };
  }
}

/** The subject of the alerts that a change raises. A terminal's alerts belong to its day. */
export const alertSubjectOf = (subject: Extract<Subject, { readonly kind: SubjectKindOf<"alert"> }>): AlertSubject =>
  subject.kind === "payment" ? subject : { ...subject, kind: "terminal" };

/** Subjects that belong to a partner, which gets webhooks about them. */
export type PartnerSubject = Extract<Subject, { readonly partnerId: string }>;
