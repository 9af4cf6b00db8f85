import { queueWorker } from "../../shared/adapters/queues/queue-worker.ts";
import type { Work } from "../../shared/use-cases/outbox/deliver.ts";
import { issueAccessToken, type IssueAccessTokenDeps } from "../../shared/use-cases/vouchers/issue-access-token.ts";
import {
  redeemOrReleaseVoucher,
  type RedeemOrReleaseVoucherDeps,
} from "../../shared/use-cases/vouchers/redeem-or-release-voucher.ts";
import { reserveVoucher, type ReserveVoucherDeps } from "../../shared/use-cases/payments/reserve-voucher.ts";

/** Issues vouchers and keys, reserves vouchers for payments, and redeems or releases them. */
export const accessTokens = queueWorker("access-tokens", {
  issue: (deps: IssueAccessTokenDeps, { call, subject }: Work<"issue">) => issueAccessToken(deps, call, subject),
  voucherReservation: (deps: ReserveVoucherDeps, { call, subject, effect }: Work<"voucherReservation">) =>
    reserveVoucher(deps, call, subject, effect),
  voucherOutcome: (deps: RedeemOrReleaseVoucherDeps, { call, subject, effect }: Work<"voucherOutcome">) =>
    redeemOrReleaseVoucher(deps, call, subject, effect),
});
