import type { AccessToken } from "../../../shared/domain/access-token.ts";
import { END, instantAt } from "../world/time.ts";

export const voucherId = "voucher";

/** One voucher of 50 SEK, which a customer shows at every terminal there is. */
export const voucherOf = (): AccessToken => ({
  tokenId: voucherId,
  kind: "voucher",
  value: { kind: "amount", amount: 5_000, currency: "SEK" },
  productId: "product",
  landingPageId: "page",
  templateId: "template",
  status: "active",
  validUntil: instantAt(END),
  createdAt: instantAt(0),
  updatedAt: instantAt(0),
});
