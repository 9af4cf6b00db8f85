import type { AccessToken } from "../../domain/access-token.ts";
import { mailGivenUp, mailNameOf, mailSent, type RequestChange, type TokenRequest } from "../../domain/landing-page.ts";
import { ownTextsFor, type TemplateLook } from "../../domain/template-look.ts";
import { msBetween } from "../../domain/time.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { MailReply, TokenMail } from "../../ports/mails.ts";
import type { LineOf, Log } from "../../ports/log.ts";
import { commitTokenRequest } from "./commit-token-request.ts";
import { noteMail, type NoteMailDeps } from "./note-mail.ts";
import type { Outcome } from "../outbox/outcome.ts";
import type { RequestAccessTokenDeps } from "./request-access-token.ts";
import type { RequestKey } from "../../ports/subjects.ts";
import type { Needs } from "../needs.ts";

export interface MailAccessTokenDeps extends RequestAccessTokenDeps, NoteMailDeps, Needs<"mails"> {
  readonly log: Pick<Log, "write">;
}

/**
 * Mails the token's code to the customer. If the mail server fails, the mail is retried on a schedule, with the same token on every try.
 * Once the mail was sent or given up, the address is erased.
 */
export async function mailAccessToken(
  deps: MailAccessTokenDeps,
  call: CallContext,
  key: RequestKey,
  announcement: Announcement,
): Promise<Outcome> {
  const stored = await deps.landingPages.findRequest(key);
  if (stored?.request.status !== "issued") return "done";
  const { request } = stored;
  const token = await tokenOf(deps, request);
  const commit = (change: RequestChange | undefined) => commitTokenRequest(deps, call, change, stored);

  if (token.status === "revoked") {
    await commit(mailGivenUp(request, "tokenRevoked", call.now()));
    return "done";
  }
  const attempt = (announcement.attempt ?? 0) + 1;
  const mail = await mailOf(deps, request, token);
  const began = call.now();
  const reply = await deps.mails.send(mail);
  const wait = reply.kind === "failed" ? deps.mails.nextAttemptAfter(attempt) : undefined;
  logAttempt(deps, reply, { attempt, dueMs: wait && wait * 1_000, ms: msBetween(began, call.now()) });
  // The end of the request is committed first. An error of the note must not cause a second mail.
  if (wait === undefined) await commit(afterMail(request, reply, call.now()));
  await noteMail(deps, { templateId: token.templateId, requestId: request.requestId, reply, at: call.now() });
  return wait === undefined ? "done" : { retryInSeconds: wait, announcement: { ...announcement, attempt } };
}

async function tokenOf({ accessTokens }: MailAccessTokenDeps, request: TokenRequest): Promise<AccessToken> {
  const stored = await accessTokens.find(request.tokenId);
  if (!stored) throw new Error(`the token of request ${request.requestId} does not exist`);
  return stored.token;
}

/** Logs each attempt, and one more line for a mail that is not retried. Neither line names the address. */
function logAttempt(
  { log }: MailAccessTokenDeps,
  reply: MailReply,
  { attempt, dueMs, ms }: Pick<LineOf<"mail">, "attempt" | "dueMs" | "ms">,
): void {
  const line = { attempt, outcome: reply.kind, reason: reply.kind === "sent" ? undefined : reply.reason };
  log.write("mail", { ...line, dueMs, ms });
  if (reply.kind !== "sent" && dueMs === undefined) log.write("mailGivenUp", line);
}

const afterMail = (request: TokenRequest, { kind }: MailReply, now: string): RequestChange | undefined => {
  if (kind === "sent") return mailSent(request, now);
  return mailGivenUp(request, reasons[kind], now);
};

const reasons = { refused: "addressRefused", mailRefused: "mailRefused", failed: "mailServerSilent" } as const;

async function mailOf(deps: MailAccessTokenDeps, request: TokenRequest, token: AccessToken): Promise<TokenMail> {
  const [template, stored] = await Promise.all([
    deps.accessTokenTemplates.find(token.templateId),
    deps.accessTokenTemplates.findLook(token.templateId),
  ]);
  if (!template || request.email === undefined)
    throw new Error(`request ${request.requestId} has no template or no address, and cannot be mailed`);
  const { timeZone, name: pageName } = template;
  const locale = request.locale ?? template.locale;
  const { kind, value, validUntil, tokenId, codeKeyId } = token;
  const code = deps.codes.codeOf(tokenId, codeKeyId);
  return {
    id: mailNameOf(request),
    to: request.email,
    pageName,
    kind,
    value,
    code,
    validUntil,
    locale,
    timeZone,
    ...lookOf(stored?.look, locale),
  };
}

/** The template's brand, and its texts for the mail's locale. */
function lookOf(look: TemplateLook | undefined, locale: string): Pick<TokenMail, "brand" | "texts"> {
  const texts = look && ownTextsFor(look, locale);
  return { ...(look?.brand && { brand: look.brand }), ...(texts && { texts }) };
}
