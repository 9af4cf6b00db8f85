import { closeAlert, type Alert } from "../../../shared/domain/alert.ts";
import type { QueueName } from "../../../shared/ports/queues.ts";
import type { Resolution } from "../../../shared/domain/payment/operator/resolution.ts";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import type { PartnerSubject, PaymentKey } from "../../../shared/ports/subjects.ts";
import {
  previewResolution,
  recordResolution,
  type Preview,
} from "../../../shared/use-cases/operator/record-resolution.ts";
import { replayWebhooks } from "../../../shared/use-cases/operator/replay-webhooks.ts";
import type { Connections } from "../../../infra/operator/common/cloud.ts";
import { consequences } from "../../../infra/operator/common/consequences.ts";
import { connectDeadLetters } from "../../../infra/operator/common/dead-letter-queues.ts";
import { clock, operatorCall, withPlatform, type Platform } from "../../../infra/operator/common/platform.ts";
import { whyRefused } from "../../../infra/operator/common/why-refused.ts";
import { Refusal, type ClosingInput, type ResolveInput } from "./source.ts";
import type { PreviewView } from "./views/resolve.ts";

/** Acts on the stack's own tables and queues, like the command line. */
const acting = <T>(connections: Connections, act: (platform: Platform) => Promise<T>): Promise<T> =>
  orRefuse(withPlatform(connections, act));

/** Converts an error to a `Refusal` with a sentence, if a dependency did not respond or another writer was first. */
async function orRefuse<T>(acted: Promise<T>): Promise<T> {
  try {
    return await acted;
  } catch (error) {
    if (error instanceof Conflict)
      throw new Refusal("It has changed in the meantime. Look at it again.", { cause: error });
    if (!(error instanceof Unavailable)) throw error;
    const what = error.dependency === "tables" ? "The tables do" : "The Service Bus does";
    throw new Refusal(`${what} not respond. If a fault is set, try again after its end.`, { cause: error });
  }
}

/** Previews an operator's decision on the payment's current state. Throws `Refusal` if the payment would reject it. */
export const previewWord = (connections: Connections, key: PaymentKey, said: Resolution): Promise<PreviewView> =>
  acting(connections, async (platform) => {
    const preview = await previewResolution(platform, operatorCall(), key, said);
    if (!preview.ok) throw new Refusal(whyRefused(preview.error, asWord));
    return previewView(preview.value);
  });

/**
 * Carries out an operator's decision like `payment resolve`. If the payment has changed since the preview, it does nothing and returns the
 * new preview. Throws `Refusal` if the payment rejects the decision.
 */
export const carryOut = (
  connections: Connections,
  key: PaymentKey,
  { sequence, said }: ResolveInput,
): Promise<PreviewView | undefined> =>
  acting(connections, async (platform) => {
    const resolved = await recordResolution(platform, operatorCall(), { ...key, sequence }, said);
    if (resolved.ok) return undefined;
    const refused = whyRefused(resolved.error, asWord);
    const preview = await previewResolution(platform, operatorCall(), key, said);
    if (preview.ok && preview.value.before.sequence !== sequence) return previewView(preview.value);
    const nowRefused = preview.ok ? refused : whyRefused(preview.error, asWord);
    throw new Refusal([...new Set([refused, nowRefused])].join(" "));
  });

const previewView = ({ before, change }: Preview): PreviewView => ({
  sequence: before.sequence,
  sentences: consequences(before, change),
});

/** The name of a field in the page's form. */
const asWord = (field: string): string =>
  `The ${field === "refunded-outside" ? "returned amount" : field.replaceAll("-", " ")}`;

/** Delivers an event of the subject again, like `webhook replay`. Throws `Refusal` if the subject has no such event. */
export async function sendAgain(connections: Connections, subject: PartnerSubject, eventId: string): Promise<void> {
  const replayed = await acting(connections, (platform) => replayWebhooks(platform, subject, eventId));
  if (replayed.length === 0) throw new Refusal("The platform does not know this event.");
}

/** Closes an alert, like `alert close`. */
export const closeOpenAlert = (connections: Connections, alert: Alert, { by, why }: ClosingInput): Promise<void> =>
  acting(connections, async ({ alerts }) => {
    const read = await alerts.find(alert);
    const closed = read && closeAlert(read.alert, { by, why, at: clock.now() });
    if (!closed) throw new Refusal("This alert is no longer open.");
    await alerts.save(closed, read);
  });

/** The same limit as on the command line. */
const MOST_LETTERS = 1_000;

/** Sends the dead letters of a queue to it again, like `dead-letter replay --all`. Throws `Refusal` if there are none. */
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
