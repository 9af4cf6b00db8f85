import type { Day } from "../../../domain/time.ts";
import type { Commands } from "../../../stores/commands.ts";
import type { Marks } from "../../../stores/marks.ts";
import type { Partners } from "../../../stores/partners.ts";
import type { PaymentKey } from "../../../ports/subjects.ts";
import { eachOf } from "../../each-of.ts";
import { terminalsOf, walk } from "../places.ts";
import { deliveriesOf, type EventDelivery } from "./deliveries.ts";

export interface DeliveriesOfDayDeps {
  readonly marks: Pick<Marks, "changedOn">;
  readonly partners: Pick<Partners, "allTerminalIds">;
  readonly commands: Pick<Commands, "ofSubject" | "attempts">;
}

/** An event of a payment. */
export interface PaymentDelivery extends EventDelivery {
  readonly sessionId: string;
}

/**
 * The events of one partner's payments that had a commit on that UTC day, with every attempt, including those on later days. Makes one
 * call for each terminal of the partner, and two for each of these payments, sixteen at a time. Throws `Unavailable`.
 */
export async function deliveriesOfDay(
  deps: DeliveriesOfDayDeps,
  partnerId: PaymentKey["partnerId"],
  day: Day,
): Promise<readonly PaymentDelivery[]> {
  const { commands, marks } = deps;
  const places = await terminalsOf(deps, partnerId);
  const changed = await walk(places, (place) => marks.changedOn(place, "payment", day));
  const found = await eachOf(changed.flat(), async (subject) => {
    const [ofSubject, attempts] = await Promise.all([commands.ofSubject(subject), commands.attempts(subject)]);
    return deliveriesOf(ofSubject, attempts).map((delivery) => ({ sessionId: subject.sessionId, ...delivery }));
  });
  return found.flat();
}
