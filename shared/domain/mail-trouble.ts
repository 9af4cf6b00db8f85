import * as z from "zod";
import type { RecordOf } from "./record.ts";
import { msBetween, uncheckedInstant, type Instant } from "./time.ts";

/** The mails of a template that have failed since the last successful mail. */
export const mailTroubleRecord = z.object({
  templateId: z.string(),
  /** The latest attempts, one for each token request, in the order in which they failed. */
  failed: z.array(z.object({ requestId: z.string(), at: uncheckedInstant })),
  /** When operators were last alerted for them. Absent if they were not. */
  alertedAt: uncheckedInstant.optional(),
});
export interface MailTrouble extends RecordOf<typeof mailTroubleRecord> {}

/** This many failed mails of customers, without a successful one, raise an alert. One wrong address, or three, are the customers' own. */
const OFTEN = 5;
const WINDOW_SECONDS = 3_600;

export interface FailedMail {
  readonly templateId: string;
  readonly requestId: string;
  readonly at: Instant;
  /** The mail server refused the platform's own credentials. One such mail is enough for an alert. */
  readonly isLogin: boolean;
}

const isRecent = (at: Instant, now: Instant): boolean => msBetween(at, now) < WINDOW_SECONDS * 1_000;

/**
 * Counts a failed mail, and decides whether an operator is to be alerted. That is so if the last five mails of the template failed within
 * an hour, but at most once an hour. Undefined if an operator was alerted within the hour. Nothing is written then, so that an absent mail
 * server does not cost a write for each attempt.
 */
export function countFailedMail(
  known: MailTrouble | undefined,
  { templateId, requestId, at, isLogin }: FailedMail,
): { readonly trouble: MailTrouble; readonly isDue: boolean } | undefined {
  if (known?.alertedAt !== undefined && isRecent(known.alertedAt, at)) return undefined;
  const others = (known?.failed ?? []).filter((one) => one.requestId !== requestId && isRecent(one.at, at));
  const failed = [...others, { requestId, at }].slice(-OFTEN);
  const isDue = isLogin || failed.length === OFTEN;
  return { trouble: { templateId, failed, ...(isDue && { alertedAt: at }) }, isDue };
}
