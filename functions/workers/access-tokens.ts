import { queueWorker } from "../../shared/queues/queue-worker.ts";
import { issueAccessToken } from "../../shared/use-cases/issue-access-token.ts";
import { mailAccessToken, type MailAccessToken } from "../../shared/use-cases/mail-access-token.ts";
import { offerVoucher, type OfferVoucher } from "../../shared/use-cases/offer-voucher.ts";
import { paymentOf, tokenRequestOf, type Delivering } from "../../shared/use-cases/protocol/deliver.ts";
import { settleVoucher } from "../../shared/use-cases/settle-voucher.ts";

/** Sees to vouchers and keys: issues and mails them, reserves vouchers for payments, and redeems them or gives them back. */
export const accessTokens = (deps: Delivering & MailAccessToken & OfferVoucher) =>
  queueWorker("access-tokens", deps, async ({ announcement, effect }) => {
    const { subject, traceparent } = announcement;
    switch (effect.kind) {
      case "issue":
        return issueAccessToken(deps, tokenRequestOf(subject), traceparent);
      case "mail":
        return mailAccessToken(deps, tokenRequestOf(subject), { announcement });
      case "reservation":
        return offerVoucher(deps, paymentOf(subject), effect);
      case "settlement":
        return settleVoucher(deps, paymentOf(subject), effect);
      default:
        throw new Error(`${effect.kind} came to the wrong queue`);
    }
  });
