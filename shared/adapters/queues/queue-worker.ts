import type { ServiceBusQueueHandler } from "@azure/functions";
import type { EffectKind } from "../../domain/effects.ts";
import type { QueueName, queueOf, retryQueueOf } from "../../ports/queues.ts";
import { fromMessage } from "../../ports/stored-forms.ts";
import { msBetween, type Instant } from "../../domain/time.ts";
import { announcementBody, type Announcement } from "../../ports/announcements.ts";
import { bareAlertBody, type BareAlert } from "../../ports/bare-alerts.ts";
import { traceOf, type LineOf, type Log, type ScopeNames } from "../../ports/log.ts";
import { loggedError } from "../../ports/logged-error.ts";
import { namesOfSubject } from "../../ports/subjects.ts";
import {
  handleFailedDelivery,
  type FailedDelivery,
  type FailedDeliveryDeps,
} from "../../use-cases/alerts/failed-delivery.ts";
import { deliverAlert, type DeliverAlertDeps } from "../../use-cases/outbox/deliver-alert.ts";
import type { Directly } from "../../use-cases/outbox/committed-command.ts";
import { deliver, type CarryOut, type DeliverDeps, type Work } from "../../use-cases/outbox/deliver.ts";
import { forwardUnread, type ForwardUnreadDeps } from "../../use-cases/outbox/forward-unread.ts";
import type { Outcome } from "../../use-cases/outbox/outcome.ts";
import { rawMessage } from "./raw-message.ts";

/** The dependencies of every worker, in addition to those of its handlers. */
type WorkerDeps = DeliverDeps & DeliverAlertDeps & FailedDeliveryDeps & ForwardUnreadDeps & { readonly log: Log };

/** A queue-triggered function, with the name of its queue. */
export interface QueueWorker<Deps> {
  readonly name: QueueName;
  readonly handler: (deps: Deps & WorkerDeps) => ServiceBusQueueHandler;
}

type KindOn<Queue extends QueueName> = {
  [K in EffectKind]: Queue extends (typeof queueOf)[K] | (typeof retryQueueOf)[K] ? K : never;
}[EffectKind];

/** A handler for each kind of effect that the queue carries, and for no other kind. Each handler declares its dependencies. */
type Handlers<Queue extends QueueName> = {
  readonly [Kind in KindOn<Queue>]: (deps: never, work: Work<Kind>) => Promise<Outcome>;
};
type NoOthers<Given, Queue extends QueueName> = { readonly [K in Exclude<keyof Given, KindOn<Queue>>]: never };
/** The dependencies of all handlers. */
type DepsOf<Given> = Given[keyof Given] extends (deps: infer Deps, work: never) => unknown ? Deps : never;

/**
 * The worker of a queue. It reads the announcement, and passes the committed effect to the handler of its kind. It raises an alert that has
 * no command. It passes on a message that it cannot read, because another version of the app may read it. If a delivery throws, the message
 * is delivered again. The last delivery alerts an operator.
 *
 * @param directly carries out an announcement without reading its command, if it can
 */
export const queueWorker = <Queue extends QueueName, Given extends Handlers<Queue>>(
  name: Queue,
  handlers: Given & NoOthers<Given, Queue>,
  directly?: (deps: DepsOf<Given> & WorkerDeps, announcement: Announcement) => Directly | undefined,
): QueueWorker<DepsOf<Given>> => ({
  name,
  handler: (deps) => (message, context) => {
    const { log, clock } = deps;
    const { triggerMetadata = {} } = context;
    // `deliver` only passes effects of this queue, and the types limit the handlers to those.
    const handlerOf = handlers as unknown as Readonly<
      Record<EffectKind, (given: typeof deps, work: Work) => Promise<Outcome>>
    >;
    const carryOut: CarryOut = (work) => handlerOf[work.effect.kind](deps, work);
    const delivery = { queue: name, message, ...readMessage(message), triggerMetadata };
    return log.within({ function: name, ...namesOf(delivery) }, context, async () => {
      const began = clock.now();
      const writeLine = (handled: Handled) =>
        log.write("worker", { ...lineOf(delivery, began), ...handled, ms: msBetween(began, clock.now()) });
      try {
        const { announcement } = delivery;
        writeLine(await handle(deps, delivery, carryOut, announcement && directly?.(deps, announcement)));
      } catch (error) {
        log.write("deliveryFailed", { queue: name, tries: deliveriesOf(delivery), ...loggedError(error) });
        await handleFailedDelivery(deps, failedDelivery(delivery, clock.now()), error);
        writeLine({ outcome: "thrown" });
        throw error;
      }
    });
  },
});

/** A message as it was received, and its content. */
interface Received {
  readonly queue: QueueName;
  readonly message: unknown;
  readonly triggerMetadata: Readonly<Record<string, unknown>>;
  readonly announcement: Announcement | undefined;
  readonly alert: BareAlert | undefined;
  /** Why the message is neither. */
  readonly unreadable: unknown;
}

/** The result of a delivery, for the log. */
type Handled = Pick<LineOf<"worker">, "outcome" | "dueMs">;

function readMessage(received: unknown): Pick<Received, "announcement" | "alert" | "unreadable"> {
  const message = fromMessage(received);
  if (isBareAlert(message)) {
    const { data: alert, error: unreadable } = bareAlertBody.safeParse(message);
    return { announcement: undefined, alert, unreadable };
  }
  const { data: announcement, error: unreadable } = announcementBody.safeParse(message);
  return { announcement, alert: undefined, unreadable };
}

async function handle(
  deps: WorkerDeps,
  received: Received,
  carryOut: CarryOut,
  directly: Directly | undefined,
): Promise<Handled> {
  const { queue, message, announcement, alert, unreadable, triggerMetadata } = received;
  const enqueuedAt = enqueuedTimeOf(received);
  if (alert) {
    await deliverAlert(deps, { alert, enqueuedAt });
    return { outcome: "done" };
  }
  if (announcement) {
    const isRedelivered = deliveriesOf(received) > 1;
    return deliver(deps, { queue, announcement, enqueuedAt, isRedelivered }, carryOut, directly);
  }
  await forwardUnread(deps, { queue, message: rawMessage(message, triggerMetadata), enqueuedAt }, unreadable);
  return { outcome: "passedOn" };
}

const namesOf = ({ announcement, alert }: Received): ScopeNames => ({
  trace: traceOf((announcement ?? alert)?.traceparent),
  ...(announcement && namesOfSubject(announcement.subject)),
});

function lineOf(received: Received, began: Instant): LineOf<"worker"> {
  const { queue, announcement } = received;
  const { commandId: commandID, effect, attempt } = announcement ?? {};
  return {
    queue,
    commandID,
    effect,
    attempt: attempt && attempt + 1,
    tries: deliveriesOf(received),
    queueAgeMs: queueAgeMs(received.triggerMetadata, Date.parse(began)),
  };
}

/**
 * How long a message waited in its queue, in milliseconds, by the broker's enqueued time. Undefined if that is not a time. `at` is in
 * milliseconds since 1970.
 */
function queueAgeMs(triggerMetadata: Readonly<Record<string, unknown>>, at: number): number | undefined {
  const enqueuedAt = Date.parse(timeIn(triggerMetadata["enqueuedTimeUtc"]));
  return Number.isNaN(enqueuedAt) ? undefined : at - enqueuedAt;
}

const failedDelivery = (received: Received, at: Instant): FailedDelivery => ({
  queue: received.queue,
  messageId: nameOf(received.triggerMetadata),
  announcement: received.announcement,
  deliveries: deliveriesOf(received),
  at,
});

const deliveriesOf = ({ triggerMetadata }: Received): number => Number(triggerMetadata["deliveryCount"]);

const isBareAlert = (message: unknown): boolean =>
  typeof message === "object" && message !== null && "raised" in message;

/**
 * The broker's identifier of the message, or its number in the queue if it has no identifier. The host parses an identifier that looks like
 * JSON, so it may not be a string.
 */
function nameOf({ messageId, sequenceNumber }: Readonly<Record<string, unknown>>): string {
  const name = messageId ?? sequenceNumber ?? "unnamed";
  return typeof name === "string" ? name : JSON.stringify(name);
}

/** The broker's enqueued time. Throws if it is not a time. */
const enqueuedTimeOf = ({ triggerMetadata }: Received): Instant =>
  new Date(timeIn(triggerMetadata["enqueuedTimeUtc"])).toISOString();

/** The host writes times in UTC without a zone. Read as local time, they would be hours off. */
function timeIn(given: unknown): string {
  const time = typeof given === "string" ? given : "";
  return /(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`;
}
