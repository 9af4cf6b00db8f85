import { closeAlert, storableDetail, type AlertIdentity } from "../../domain/alert.ts";
import { countFailedMail, type MailTrouble } from "../../domain/mail-trouble.ts";
import { newestVersion } from "../../ports/stored-forms.ts";
import type { Instant } from "../../domain/time.ts";
import type { StoredTrouble } from "../../stores/access-token-templates.ts";
import { Conflict } from "../../ports/failures.ts";
import type { MailReply } from "../../ports/mails.ts";
import type { Needs } from "../needs.ts";

export type NoteMailDeps = Needs<"accessTokenTemplates" | "alerts" | "bareAlerts">;

/** One attempt to mail the token of a request. */
export interface MailAttempt {
  readonly templateId: string;
  readonly requestId: string;
  readonly reply: MailReply;
  readonly at: Instant;
}

/**
 * Notes the result of an attempt to mail for the template. If its mails fail often, an operator is called. Once a mail succeeds, the
 * failures are forgotten and the alert is closed. Throws `Unavailable`.
 */
export const noteMail = (deps: NoteMailDeps, attempt: MailAttempt): Promise<void> =>
  unlessCrowded(async () => {
    const read = await deps.accessTokenTemplates.findTrouble(attempt.templateId);
    const { reply } = attempt;
    await (reply.kind === "sent" ? noteSent(deps, attempt, read) : noteFailed(deps, { ...attempt, reply }, read));
  });

type FailedAttempt = MailAttempt & { readonly reply: Exclude<MailReply, { readonly kind: "sent" }> };

async function noteFailed(
  deps: NoteMailDeps,
  { reply, ...attempt }: FailedAttempt,
  read: StoredTrouble | undefined,
): Promise<void> {
  const isLogin = reply.kind === "failed" && reply.isLogin === true;
  const counted = countFailedMail(read?.trouble, { ...attempt, isLogin });
  if (!counted) return;
  // The alert comes first. After a crash between the two steps it is repeated, and counts once by its cause.
  if (counted.isDue) {
    const raised = mailsFailing(counted.trouble, reply, attempt.at);
    await deps.bareAlerts.send({ v: newestVersion, raised });
  }
  await deps.accessTokenTemplates.saveTrouble(counted.trouble, read);
}

async function noteSent(
  deps: NoteMailDeps,
  { templateId, at }: MailAttempt,
  read: StoredTrouble | undefined,
): Promise<void> {
  if (!read || (read.trouble.failed.length === 0 && read.trouble.alertedAt === undefined)) return;
  const { alertedAt } = read.trouble;
  const isOver = alertedAt === undefined || (await isTakenBack(deps, { templateId, alertedAt, at }));
  // An alert that is still in its queue is closed after the next successful mail.
  await deps.accessTokenTemplates.saveTrouble({ templateId, failed: [], ...(!isOver && { alertedAt }) }, read);
}

/** Closes the alert. False if the alert that was sent at `alertedAt` is not raised yet. */
async function isTakenBack(
  { alerts }: NoteMailDeps,
  { templateId, alertedAt, at }: { readonly templateId: string; readonly alertedAt: Instant; readonly at: Instant },
): Promise<boolean> {
  const read = await alerts.find(alertOf(templateId));
  if (!read || read.alert.lastAt < alertedAt) return false;
  const closed = closeAlert(read.alert, { by: "platform", why: "A mail of the template went.", at });
  if (closed) await alerts.save(closed, read);
  return true;
}

const alertOf = (about: string) =>
  ({ subject: { kind: "platform" }, kind: "mailsFailing", about }) as const satisfies AlertIdentity;

const mailsFailing = ({ templateId, failed }: MailTrouble, reply: FailedAttempt["reply"], at: Instant) => ({
  ...alertOf(templateId),
  detail: storableDetail(`${failed.length} in a row within an hour; the last: ${reply.kind} ${reply.reason}`),
  cause: `${failed[0]?.requestId ?? templateId}~${failed[0]?.at ?? at}`,
  at,
});

const TRIES = 3;

/**
 * Leaves this mail out if other workers write the same row on every try. Their mails are counted, and a `Conflict` here would send the mail
 * once more.
 */
async function unlessCrowded(note: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await note();
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
  }
}
