import { voucherFate } from "../../../shared/domain/payment/voucher-use.ts";
import { currentToken } from "../../../shared/use-cases/vouchers/find-token.ts";
import { voucherId } from "../actors/voucher.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import { instantAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * The voucher paid for one payment at most, and is in the end in the state that its payments imply. A reservation that a slow worker made
 * after the end is ignored: the next payment gets the voucher.
 */
export async function checkVoucher(
  world: World,
  sessions: readonly Session[],
  { ports }: Platform,
  ending: Ending,
): Promise<void> {
  const uses = sessions.flatMap(({ plan: { sessionId }, payment }) =>
    (payment?.discounts ?? []).flatMap((discount) =>
      payment && discount.voucherTokenId === voucherId
        ? [{ sessionId, fate: voucherFate(payment, discount.discountId) }]
        : [],
    ),
  );
  const spent = uses.filter(({ fate }) => fate === "spent");
  const names = spent.map(({ sessionId }) => sessionId).join(" and ");
  if (spent.length > 1) world.violate("a voucher spent twice", names);
  if (ending !== "quiet") return;

  const stored = await ports.accessTokens.find(voucherId);
  const token = stored && (await currentToken(ports, stored.token, instantAt(world.agenda.now())));
  const [holder] = [...spent, ...uses.filter(({ fate }) => fate === "held")];
  const seen = `${token?.status} for ${token?.use?.sessionId ?? "no payment"}`;
  if (holder?.fate === "spent" && (token?.status !== "redeemed" || token.use?.sessionId !== holder.sessionId))
    world.violate("a voucher paid, but was not redeemed", `${holder.sessionId}: ${seen}`);
  if (!holder && token?.status !== "active") world.violate("a voucher paid for no payment, but was not released", seen);
}
