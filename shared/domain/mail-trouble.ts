import * as z from "zod";
import type { RecordOf } from "./record.ts";
import { msBetween, uncheckedInstant, type Instant } from "./time.ts";

/** The mails of a template that failed since the last one that went. */
export const mailTroubleRecord = z.object({
  templateId: z.string(),
  /** The latest attempts, one for each token request, in the order in which they failed. */
  failed: z.array(z.object({ requestId: z.string(), at: uncheckedInstant })),
  /** When operators were last called for them; absent while they need not be. */
  alertedAt: uncheckedInstant.optional(),
});
export interface MailTrouble extends RecordOf<typeof mailTroubleRecord> {}

/** So many customers' mails without one that goes call an operator. One wrong address, or three, are the customers' own. */
const OFTEN = 5;
const WINDOW_SECONDS = 3_600;

export interface FailedMail {
  readonly templateId: string;
  readonly requestId: string;
  readonly at: Instant;
  /** The mail server refused the platform's own credentials: that needs no second one. */
  readonly isLogin: boolean;
}

const isRecent = (at: Instant, now: Instant): boolean => msBetween(at, now) < WINDOW_SECONDS * 1_000;

/**
 * Counts a mail that failed, and says whether an operator is to be called: where the last five of the template failed within an hour, and at
 * most once an hour. Undefined where an operator was called within the hour: nothing is to be written then, so that a mail server that is
 * away costs no write for each attempt.
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
