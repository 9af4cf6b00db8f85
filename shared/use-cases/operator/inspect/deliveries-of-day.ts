import type { Day } from "../../../domain/time.ts";
import type { Commands } from "../../../stores/commands.ts";
import type { Listings } from "../../../stores/listings.ts";
import type { PaymentKey } from "../../../ports/subjects.ts";
import { eachOf } from "../../each-of.ts";
import { deliveriesOf, type EventDelivery } from "./deliveries.ts";

export interface DeliveriesOfDayDeps {
  readonly listings: Pick<Listings, "paymentsOfDay">;
  readonly commands: Pick<Commands, "ofSubject" | "attempts">;
}

/** An event of a payment. */
export interface PaymentDelivery extends EventDelivery {
  readonly sessionId: string;
}

/**
 * The events of one partner's payments that had a commit on that UTC day, with every attempt, including those on later days. Makes 16 calls
 * for the list of the day, and two calls for each payment of the partner, sixteen payments at a time. Throws `Unavailable`.
 */
export async function deliveriesOfDay(
  { listings, commands }: DeliveriesOfDayDeps,
  partnerId: PaymentKey["partnerId"],
  day: Day,
): Promise<readonly PaymentDelivery[]> {
  const found = await eachOf(await listings.paymentsOfDay(day, partnerId), async (subject) => {
    const [ofSubject, attempts] = await Promise.all([commands.ofSubject(subject), commands.attempts(subject)]);
    return deliveriesOf(ofSubject, attempts).map((delivery) => ({ sessionId: subject.sessionId, ...delivery }));
  });
  return found.flat();
}
