import { paymentSubjectOf } from "../../ports/subjects.ts";
import { storableDetail } from "../../domain/alert.ts";
import type { QueueName } from "../../ports/queues.ts";
import type { Instant } from "../../domain/time.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { BareAlert } from "../../ports/bare-alerts.ts";
import { Unavailable } from "../../ports/failures.ts";
import { callOperator, dependencyAway, type CallOperatorDeps } from "./call-operator.ts";

export interface FailedDeliveryDeps extends CallOperatorDeps {
  /** How often the queues deliver a message before they move it to the dead letters. */
  readonly maxDeliveryCount: number;
}

/** A delivery that ends with an error. The broker delivers the message again or moves it to the dead letters. */
export interface FailedDelivery {
  readonly queue: QueueName;
  /** The broker's identifier of the message. */
  readonly messageId: string;
  /** Undefined if the message is not an announcement. */
  readonly announcement: Announcement | undefined;
  /** Deliveries so far, including this one. */
  readonly deliveries: number;
  readonly at: Instant;
}

/**
 * Calls an operator at a message's last delivery, before it becomes a dead letter. Also calls one if the bus has not accepted a copy of the
 * message for minutes.
 */
export async function handleFailedDelivery(
  deps: FailedDeliveryDeps,
  failed: FailedDelivery,
  error: unknown,
): Promise<void> {
  const { deliveries, at } = failed;
  if (deliveries >= deps.maxDeliveryCount) await callOperator(deps, deadLetter(failed, error));
  else if (error instanceof Unavailable)
    await callOperator(deps, dependencyAway(new Unavailable(error.message, { dependency: "bus" }), at));
}

function deadLetter({ queue, messageId, announcement, at }: FailedDelivery, error: unknown): BareAlert["raised"] {
  const { subject, commandId, effect } = announcement ?? {};
  return {
    subject: subject?.kind === "payment" ? paymentSubjectOf(subject) : { kind: "platform" },
    kind: "deadLetter",
    about: nameable([queue, ...(commandId === undefined ? [messageId] : [commandId, effect])].join("~")),
    detail: storableDetail(
      error instanceof Error ? `${error.name}: ${error.message}` : "the thrown value is not an error",
    ),
    cause: nameable(messageId),
    at,
  };
}

/** Makes a name safe for a key. Messages of other senders may have any name, and `about` is part of an alert's key, in lower case. */
const nameable = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\w.~:-]/g, "_")
    .slice(0, 120);
