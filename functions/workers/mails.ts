import { queueWorker } from "../../shared/adapters/queues/queue-worker.ts";
import type { Work } from "../../shared/use-cases/outbox/deliver.ts";
import { mailAccessToken, type MailAccessTokenDeps } from "../../shared/use-cases/vouchers/mail-access-token.ts";

/** Mails access tokens to their customers. It has its own queue, so that no payment waits for a mail server. */
export const mails = queueWorker("mails", {
  mail: (deps: MailAccessTokenDeps, { call, subject, announcement }: Work<"mail">) =>
    mailAccessToken(deps, call, subject, announcement),
});
