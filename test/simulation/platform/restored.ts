import { orderHold, orderOf } from "../../../shared/domain/payment/record/order.ts";
import { isFinal, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import { openMessages } from "../../../shared/use-cases/terminals/open-messages.ts";
import type { Platform } from "./platform.ts";
import type { World } from "../world/world.ts";

type Ports = Platform["ports"];

/**
 * After an import and before the platform starts, everything that is derived from a payment agrees with it. Its order names it. Its
 * terminal's inbox has the tries to give its charges back, its queries, and nothing else.
 */
export async function checkRestored(
  world: World,
  { ports }: Platform,
  sessions: readonly { readonly payment: Payment | undefined }[],
): Promise<void> {
  for (const { payment } of sessions) {
    if (!payment) continue;
    await checkInbox(world, payment, ports);
    await checkOrder(world, payment, ports);
  }
}

async function checkInbox(world: World, payment: Payment, ports: Ports): Promise<void> {
  const open = (await openMessages(ports, payment)).filter(({ isHeld }) => !isHeld);
  const found = open.map(({ slot }) => slot.sequence).join(", ");
  const due = [...triesIn(payment), ...queriesIn(payment)].toSorted((one, other) => one - other).join(", ");
  if (found !== due)
    world.violate(
      "a restored inbox is not what its payment awaits",
      `${payment.sessionId}: ${found || "nothing"}, and awaits ${due || "nothing"}`,
    );
}

/** The sequences of the tries to give charges back. Captures and refunds are not handed out again. */
const triesIn = ({ charges }: Payment): readonly number[] =>
  charges.flatMap((charge) => (charge.status === "reversing" ? (charge.reversal?.sequence ?? []) : []));

/** The sequences of its queries; 0 for one that was not sent. */
const queriesIn = ({ status, restored = 0, refunds }: Payment): readonly number[] => [
  ...(isFinal(status) ? [] : [restored]),
  ...refunds.flatMap((refund) => (refund.status === "pending" ? (refund.restored ?? 0) : [])),
];

/** An order may say that a payment lives which has ended, because the next request reads the payment. */
async function checkOrder(world: World, payment: Payment, { orders }: Ports): Promise<void> {
  const key = orderOf(payment);
  if (!key) return;
  const order = await orders.find(key);
  const listed = order?.holders.find(({ commandId }) => commandId === payment.requestedBy)?.hold;
  const holds = orderHold(payment);
  if (listed !== holds && listed !== "living")
    world.violate(
      "a restored order is not what its payment is",
      `${payment.sessionId}: ${listed ?? "absent"}, and is ${holds ?? "over"}`,
    );
}
