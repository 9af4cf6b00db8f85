import { voucherFate } from "../../../shared/domain/payment/voucher-use.ts";
import { currentToken } from "../../../shared/use-cases/vouchers/find-token.ts";
import { voucherId } from "../actors/voucher.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import { instantAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * The voucher paid for one payment at most, and is in the end what the payments that wanted it say. A reservation that a slow worker
 * made after all was over is seen through: whoever wants the voucher next gets it.
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
  const seen = `${token?.status} for ${token?.use?.sessionId ?? "nobody"}`;
  if (holder?.fate === "spent" && (token?.status !== "redeemed" || token.use?.sessionId !== holder.sessionId))
    world.violate("a voucher paid, and was not redeemed", `${holder.sessionId}: ${seen}`);
  if (!holder && token?.status !== "active") world.violate("a voucher paid for nothing, and is not given back", seen);
}
