import { queueWorker } from "../../shared/queues/queue-worker.ts";
import { issueAccessToken } from "../../shared/use-cases/vouchers/issue-access-token.ts";
import { mailAccessToken, type MailAccessTokenDeps } from "../../shared/use-cases/vouchers/mail-access-token.ts";
import { reserveVoucher, type ReserveVoucherDeps } from "../../shared/use-cases/vouchers/reserve-voucher.ts";
import { paymentOf, tokenRequestOf, type DeliverDeps } from "../../shared/use-cases/outbox/deliver.ts";
import { redeemOrReleaseVoucher } from "../../shared/use-cases/vouchers/redeem-or-release-voucher.ts";

/** Sees to vouchers and keys: issues and mails them, reserves vouchers for payments, and redeems them or gives them back. */
export const accessTokens = (deps: DeliverDeps & MailAccessTokenDeps & ReserveVoucherDeps) =>
  queueWorker("access-tokens", deps, async ({ announcement, effect }) => {
    const { subject, traceparent } = announcement;
    switch (effect.kind) {
      case "issue":
        return issueAccessToken(deps, tokenRequestOf(subject), traceparent);
      case "mail":
        return mailAccessToken(deps, tokenRequestOf(subject), { announcement });
      case "reservation":
        return reserveVoucher(deps, paymentOf(subject), effect);
      case "settlement":
        return redeemOrReleaseVoucher(deps, paymentOf(subject), effect);
      default:
        throw new Error(`${effect.kind} came to the wrong queue`);
    }
  });
