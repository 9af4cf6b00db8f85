import { closeAlert, type Alert } from "../../../shared/domain/alert.ts";
import type { QueueName } from "../../../shared/domain/effects.ts";
import { fromMinorUnits } from "../../../shared/domain/money.ts";
import type { Payment } from "../../../shared/domain/payment/payment.ts";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import type { PartnerSubject } from "../../../shared/ports/subjects.ts";
import { resolvePayment } from "../../../shared/use-cases/payments/resolve-payment.ts";
import { replayWebhooks } from "../../../shared/use-cases/webhooks/replay-webhooks.ts";
import type { Connections } from "../../operator/cloud.ts";
import { connectDeadLetters } from "../../operator/dead-letter-queues.ts";
import { clock, operatorCall, withPlatform, type Platform } from "../../operator/platform.ts";
import { Refusal, type ResolveWish } from "./source.ts";

const BY = "live page";

/** Acts on the stack's own tables and queues, as the command line does. */
const acting = <T>(connections: Connections, act: (platform: Platform) => Promise<T>): Promise<T> =>
  orRefuse(withPlatform(connections, act));

/** A dependency that does not respond, or another writer that was first, is a `Refusal` in a sentence. */
async function orRefuse<T>(acted: Promise<T>): Promise<T> {
  try {
    return await acted;
  } catch (error) {
    if (error instanceof Conflict) throw new Refusal("It has changed meanwhile. Look at it again.", { cause: error });
    if (!(error instanceof Unavailable)) throw error;
    const what = error.dependency === "tables" ? "The tables do" : "The Service Bus does";
    throw new Refusal(`${what} not respond. Is there a fault on it? Try again when it is gone.`, { cause: error });
  }
}

/** Settles the payment as `payment resolve` does. Throws `Refusal` where it cannot be settled so. */
export async function settlePayment(connections: Connections, payment: Payment, wish: ResolveWish): Promise<void> {
  const { outcome, amount, sequence } = wish;
  const why = `settled as ${outcome} on the live page`;
  const paid = amount === undefined ? {} : { amount: fromMinorUnits(amount, payment.currency) };
  const resolution =
    outcome === "paid"
      ? ({ by: BY, why, of: "payment", outcome, ...paid } as const)
      : ({ by: BY, why, of: "payment", outcome } as const);
  const resolved = await acting(connections, (platform) =>
    resolvePayment(platform, operatorCall(), { ...payment, sequence }, resolution),
  );
  if (resolved.ok) return;
  const { error } = resolved;
  switch (error.code) {
    case "payment_not_found":
      throw new Refusal("There is no such payment any more.");
    case "validation_failed":
      throw new Refusal(error.errors.map(({ field, message }) => `The ${field} ${message}.`).join(" "));
    case "invalid_state":
      throw new Refusal(error.detail ?? `There is nothing to settle: the payment is ${error.currentStatus}.`);
  }
}

/** Has an event of the subject delivered again, as `webhook replay` does. Throws `Refusal` where the subject has no such event. */
export async function sendAgain(connections: Connections, subject: PartnerSubject, eventId: string): Promise<void> {
  const replayed = await acting(connections, (platform) => replayWebhooks(platform, subject, eventId));
  if (replayed.length === 0) throw new Refusal("The platform does not know this event.");
}

/** Closes an alert as `alert close` does. */
export const closeOpenAlert = (connections: Connections, alert: Alert): Promise<void> =>
  acting(connections, async ({ alerts }) => {
    const read = await alerts.find(alert);
    const closed = read && closeAlert(read.alert, { by: BY, why: "closed on the live page", at: clock.now() });
    if (!closed) throw new Refusal("This alert is not open any more.");
    await alerts.save(closed, read);
  });

/** As many as the command line sends again at a time. */
const MOST_LETTERS = 1_000;

/** Sends the dead letters of a queue to it again, as `dead-letter replay --all` does. Throws `Refusal` where there are none. */
export async function sendDeadLettersAgain(connections: Connections, queue: QueueName): Promise<void> {
  const letters = connectDeadLetters(connections);
  const found = await orRefuse(letters.list(queue, MOST_LETTERS));
  if (found.length === 0) throw new Refusal(`The queue ${queue} has no dead letters.`);
  await orRefuse(
    letters.sendAgain(
      queue,
      found.map(({ sequenceNumber }) => sequenceNumber),
    ),
  );
}
