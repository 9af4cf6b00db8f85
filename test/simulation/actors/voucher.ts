import type { AccessToken } from "../../../shared/domain/access-token.ts";
import type { TokenValue } from "../../../shared/domain/access-token-template.ts";
import type { Random } from "../../support/seeded-random.ts";
import { instantAt } from "../world/time.ts";
import { partOf, type Price } from "./prices.ts";

export const voucherId = "voucher";

/** A voucher of about 40 % of this world's usual price, in its currency or in percent. */
export const drawVoucherValue = (random: Random, { currency, amount }: Price): TokenValue =>
  random.chance(0.7) ? { kind: "amount", amount: partOf(amount, 0.4), currency } : { kind: "percent", percent: 12.5 };

/** The only voucher, which a customer uses at every terminal. It is valid until the world's end, in milliseconds. */
export const aVoucher = (value: TokenValue, end: number): AccessToken => ({
  tokenId: voucherId,
  kind: "voucher",
  value,
  productId: "product",
  landingPageId: "page",
  templateId: "template",
  codeKeyId: "only",
  codeHash: voucherId,
  status: "active",
  validUntil: instantAt(end),
  createdAt: instantAt(0),
  updatedAt: instantAt(0),
});
