import type { TokenValue } from "../../../shared/domain/access-token-template.ts";
import type { Terminal } from "../../../shared/domain/terminal.ts";
import type { Platform } from "../platform/platform.ts";
import { instantAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import { issuances, templates } from "./customers.ts";
import { descriptionOf } from "./tips.ts";
import { drawPrices, type Price } from "./prices.ts";
import { aVoucher, drawVoucherValue } from "./voucher.ts";
import { aPartner } from "../../support/a-partner.ts";

/** The participants of one world. Partners may share a merchant; a terminal belongs to one partner and one merchant. */
export interface Cast {
  readonly partnerIds: readonly string[];
  readonly terminals: readonly [Terminal, ...Terminal[]];
  readonly prices: readonly [Price, ...Price[]];
  /** The value of the only voucher, which a customer uses at every terminal. */
  readonly voucher: TokenValue;
  /** The partner that has no webhook address and reads its events only from its feed; undefined in most worlds. */
  readonly feedOnly: string | undefined;
}

/** The probability of a partner without an address for webhooks. */
const FEED_ONLY = 0.12;

/** Draws a small cast, so that sessions compete. Most worlds have one partner, and most partners have one or two terminals. */
export function drawCast({ random, fateOf }: World): Cast {
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
  const terminals: Cast["terminals"] = [aTerminal("A"), ...more];
  const address = fateOf("webhook address");
  const feedOnly = address.chance(FEED_ONLY) ? address.pick(partnerId, ...otherPartners) : undefined;
  return { partnerIds, terminals, prices, voucher: drawVoucherValue(random, prices[0]), feedOnly };
}

/** The URL of a partner's webhooks. */
export const webhookUrlOf = (partnerId: string): string => `https://${partnerId}.example/`;

/** Sets up the platform as its operator would before the first payment: partners, terminals, and one voucher. */
export async function setUp(
  world: World,
  { ports }: Platform,
  { partnerIds, terminals, voucher, feedOnly }: Cast,
): Promise<void> {
  for (const partnerId of partnerIds) {
    const webhookUrl = partnerId === feedOnly ? undefined : webhookUrlOf(partnerId);
    await ports.partners.save({ ...aPartner({ partnerId }), webhookUrl }, undefined);
  }
  for (const terminal of terminals) {
    await ports.terminals.save(terminal, undefined);
    await ports.partners.addTerminal(terminal.partnerId, terminal.terminalId);
    await ports.terminals.seen(terminal.terminalId, instantAt(0));
    const described = descriptionOf(world, terminal.terminalId);
    if (described) await ports.terminals.describe(terminal.terminalId, described);
  }
  for (const [i, template] of templates.entries()) {
    const issuance = issuances[i];
    if (issuance) await ports.accessTokenTemplates.add(template, issuance);
  }
  await ports.accessTokens.issue(aVoucher(voucher, world.end));
}
