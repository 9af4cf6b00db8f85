import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { MINUTE } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Partner } from "./partner.ts";
import type { Plan } from "./plan.ts";
import type { TerminalDevice } from "./terminal.ts";

/** The probability that a partner regrets a refund in a restored world. */
const REGRETTED = 0.5;

interface Surroundings {
  readonly look: (plan: Plan) => Promise<{ readonly payment: Payment | undefined }>;
  readonly partner: Pick<Partner, "refundForNow">;
  readonly plans: readonly Plan[];
  readonly devices: readonly TerminalDevice[];
}

/**
 * Refunds a captured payment just before an export, while its terminal is off. Resolves with the partner's withdrawal of the refund, which is
 * to be made after the export. The restored platform then has the refund and lacks its withdrawal. Draws from a separate random source.
 */
export async function refundBeforeExport(
  { fateOf }: World,
  { look, partner, plans, devices }: Surroundings,
): Promise<() => Promise<void>> {
  const fate = fateOf("regretted refund");
  if (!fate.chance(REGRETTED)) return async () => {};
  for (const plan of plans) {
    const device = devices.find(({ terminal }) => terminal.terminalId === plan.terminalId);
    if ((await look(plan)).payment?.status !== "captured" || !device) continue;
    device.beAway(fate.between(20 * MINUTE, 2 * 60 * MINUTE));
    return partner.refundForNow(plan, fate.pick(undefined, 3600, 24 * 3600));
  }
  return async () => {};
}
