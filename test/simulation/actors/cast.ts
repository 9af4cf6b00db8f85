import type { TokenValue } from "../../../shared/domain/access-token-template.ts";
import type { Terminal } from "../../../shared/domain/terminal.ts";
import type { Platform } from "../platform/platform.ts";
import { instantAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import { templates } from "./customers.ts";
import { drawPrices, type Price } from "./prices.ts";
import { aVoucher, drawVoucherValue, voucherId } from "./voucher.ts";

/** Who takes part in one world. Partners may share a merchant; a terminal is one partner's and one merchant's. */
export interface Cast {
  readonly partnerIds: readonly string[];
  readonly terminals: readonly [Terminal, ...Terminal[]];
  readonly prices: readonly [Price, ...Price[]];
  /** What the voucher is worth that a customer shows around. */
  readonly voucher: TokenValue;
}

/** Small casts, so that sessions meet: most worlds have one partner, and most partners one terminal or two. */
export function drawCast({ random }: World): Cast {
  const partnerIds = random.pick(["partner"], ["partner"], ["partner", "other"]);
  const merchants = random
    .pick(["merchant"], ["merchant"], ["merchant", "market"])
    .map((merchantId) => ({ merchantId, strictOrders: random.chance(0.5) }));
  const [partnerId = "partner", ...otherPartners] = partnerIds;
  const [merchant = { merchantId: "merchant", strictOrders: false }, ...otherMerchants] = merchants;
  const aTerminal = (terminalId: string): Terminal => ({
    ...random.pick(merchant, ...otherMerchants),
    terminalId,
    idAsReceived: terminalId,
    partnerId: random.pick(partnerId, ...otherPartners),
    status: "available",
    keyHash: "",
    pepperId: "none",
    updatedAt: instantAt(0),
  });
  const more = random.pick([], ["B"], ["B"], ["B", "C"]).map(aTerminal);
  const prices = drawPrices(random);
  return { partnerIds, terminals: [aTerminal("A"), ...more], prices, voucher: drawVoucherValue(random, prices[0]) };
}

/** Where a partner is called back. */
export const webhookUrlOf = (partnerId: string): string => `https://${partnerId}.example/`;

/** The platform as its operator has set it up before anything happens: partners, terminals, and one voucher in a customer's hands. */
export async function setUp({ ports }: Platform, { partnerIds, terminals, voucher }: Cast): Promise<void> {
  for (const partnerId of partnerIds)
    await ports.partners.save({ partnerId, name: partnerId, webhookUrl: webhookUrlOf(partnerId), webhookSecrets: [] });
  for (const terminal of terminals) {
    await ports.terminals.save(terminal, undefined);
    await ports.partners.addTerminal(terminal.partnerId, terminal.terminalId);
    await ports.terminals.seen(terminal.terminalId, instantAt(0));
  }
  for (const template of templates) await ports.accessTokenTemplates.add(template);
  await ports.accessTokens.issue(aVoucher(voucher), voucherId);
}
