import { refundedAmount } from "../../../shared/domain/payment/payment.ts";
import { refunded, type CardLedger } from "../actors/card-ledger.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./look.ts";

/** What the platform says of a payment is what happened to the card. */
export function checkCards(world: World, { plan, payment }: Session, ledger: CardLedger): void {
  const card = ledger.cardOf(plan.sessionId);
  const at = `${plan.sessionId} (${payment?.status ?? "absent"})`;
  if (card && !payment) world.violate("a card was charged for nothing", at);
  if (!payment) return;
  switch (payment.status) {
    case "cancelled":
    case "expired":
    case "declined":
    case "failed":
      if (card) world.violate("over without payment, and a card was touched", at);
      break;
    case "voided":
      if (!card?.voided) world.violate("voided, and the card was not", at);
      break;
    case "authorized":
      if (!card || card.voided || card.charged !== payment.amounts.authorized)
        world.violate("authorized, and the card was not", at);
      break;
    case "captured": {
      const { captured } = payment.amounts;
      if (!card || card.voided || card.captured !== captured) world.violate("captured, and the card was not", at);
      if (card && refunded(card) !== refundedAmount(payment)) world.violate("refunds that the card did not see", at);
      break;
    }
    default:
  }
}
