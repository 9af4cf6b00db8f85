import { z } from "zod";
import { tokenRequestRecord } from "../domain/landing-page.ts";
import type { RecordOf } from "../domain/record.ts";
import type { ScopeNames } from "./log.ts";

// The subjects of commands, by their keys.

const paymentKey = z.object({ partnerId: z.string(), sessionId: z.string() });
export interface PaymentKey extends RecordOf<typeof paymentKey> {}

const actionKey = z.object({ partnerId: z.string(), actionRequestId: z.string() });
export interface ActionKey extends RecordOf<typeof actionKey> {}

/** A page's requests are sorted by age, so that the latest are read without the others. */
const requestKey = tokenRequestRecord.pick({ landingPageId: true, requestId: true, createdAt: true });
export interface RequestKey extends RecordOf<typeof requestKey> {}

/** The subject of a command. The command's row is stored beside the subject's own record. */
export const subjectRecord = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("payment"), ...paymentKey.shape }),
  z.object({ kind: z.literal("actionRequest"), ...actionKey.shape }),
  z.object({ kind: z.literal("tokenRequest"), ...requestKey.shape }),
]);
export type Subject = RecordOf<typeof subjectRecord>;

export const isSamePayment = (one: PaymentKey, other: PaymentKey): boolean =>
  one.partnerId === other.partnerId && one.sessionId === other.sessionId;

/** The subject by the names of the log. */
export function namesOfSubject(subject: Subject): ScopeNames {
  switch (subject.kind) {
    case "payment":
      return { partner: subject.partnerId, session: subject.sessionId };
    case "actionRequest":
      return { partner: subject.partnerId, actionRequest: subject.actionRequestId };
    case "tokenRequest":
      return { landingPage: subject.landingPageId, tokenRequest: subject.requestId };
  }
}

/** Subjects that belong to a partner, which gets webhooks about them. */
export type PartnerSubject = Extract<Subject, { readonly partnerId: string }>;
