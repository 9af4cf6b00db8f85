import { dayOf } from "../../../../shared/domain/time.ts";
import {
  deliveriesOfDay,
  type PaymentDelivery,
} from "../../../../shared/use-cases/operator/inspect/deliveries-of-day.ts";
import { hasTrouble } from "../../../../shared/use-cases/operator/inspect/deliveries.ts";
import { command } from "../command.ts";
import { clock, connectTables } from "../../common/platform.ts";
import { day, flag, identifier, option, required } from "../words.ts";

const PARTNER = "5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10";

export const listDeliveries = command({
  name: "deliveries",
  does: "lists the webhooks of the payments that changed on a UTC day (default: today), and the state of each",
  words: [
    required("--partner <partnerID>", "the partner of the payments", identifier),
    flag("--failed", "only webhooks that had a failed attempt, or that the partner does not have"),
    option("--day <YYYY-MM-DD>", "the day on which the payments changed", day),
  ],
  columns: ["sessionID", "type", "state", "attempts", "last", "lastAt"],
  examples: [
    `webhook deliveries --partner ${PARTNER} --failed`,
    `webhook deliveries --partner ${PARTNER} --day 2026-11-21`,
  ],
  async run({ partner, failed, day }, { connect }) {
    const tables = connectTables(await connect());
    const found = await deliveriesOfDay(tables, partner, day ?? dayOf(clock.now()));
    return found.filter((delivery) => !failed || hasTrouble(delivery)).map(shown);
  },
});

function shown({ sessionId: sessionID, eventId: webhookID, type, state, attempts }: PaymentDelivery) {
  const last = attempts.at(-1);
  return {
    sessionID,
    webhookID,
    type,
    state,
    attempts: attempts.length,
    last: last && [last.outcome, last.reason, last.status].filter((part) => part !== undefined).join(" "),
    lastAt: last?.at,
  };
}
