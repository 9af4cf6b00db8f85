import type { ServiceBusQueueHandler } from "@azure/functions";
import type { EffectKind, effectKinds, QueueName } from "../domain/effects.ts";
import type { Instant } from "../domain/time.ts";
import { announcementBody } from "../ports/announcements.ts";
import { bareAlertBody } from "../ports/bare-alerts.ts";
import { handleFailedDelivery, type FailedDeliveryDeps } from "../use-cases/alerts/failed-delivery.ts";
import { deliverAlert, type DeliverAlertDeps } from "../use-cases/outbox/deliver-alert.ts";
import { deliver, type CarryOut, type DeliverDeps, type Outcome, type Work } from "../use-cases/outbox/deliver.ts";
import { passOn, type PassOnDeps } from "../use-cases/outbox/pass-on.ts";
import { rawMessage } from "./raw-message.ts";

/** What every worker needs in addition to its handlers' dependencies. */
type WorkerDeps = DeliverDeps & DeliverAlertDeps & FailedDeliveryDeps & PassOnDeps;

/** A queue-triggered function, with the name of its queue. */
export interface QueueWorker<Deps> {
  readonly name: QueueName;
  readonly handler: (deps: Deps & WorkerDeps) => ServiceBusQueueHandler;
}

type KindOn<Queue extends QueueName> = {
  [K in EffectKind]: Queue extends (typeof effectKinds)[K]["queue" | "again"] ? K : never;
}[EffectKind];

/** A handler for every kind of effect that the queue carries, and for no other. Each declares its dependencies. */
type Handlers<Queue extends QueueName> = {
  readonly [Kind in KindOn<Queue>]: (deps: never, work: Work<Kind>) => Promise<Outcome>;
};
type NoOthers<Given, Queue extends QueueName> = { readonly [K in Exclude<keyof Given, KindOn<Queue>>]: never };
/** The dependencies of all handlers together. */
type DepsOf<Given> = Given[keyof Given] extends (deps: infer Deps, work: never) => unknown ? Deps : never;

/**
 * The worker of a queue. It reads the announcement, and passes the committed effect to the handler of its kind. It raises an alert that has
 * no command. It passes on a message that it cannot read, since another version of the app may read it. What it throws is delivered again,
 * and the last delivery calls an operator.
 */
export const queueWorker = <Queue extends QueueName, Given extends Handlers<Queue>>(
  name: Queue,
  handlers: Given & NoOthers<Given, Queue>,
): QueueWorker<DepsOf<Given>> => ({
  name,
  handler:
    (deps) =>
    async (message, { triggerMetadata = {} }) => {
      // `deliver` passes effects of this queue only, and the types hold the handlers to those.
      const handlerOf = handlers as unknown as Readonly<
        Record<EffectKind, (given: typeof deps, work: Work) => Promise<Outcome>>
      >;
      const carryOut: CarryOut = (work) => handlerOf[work.effect.kind](deps, work);
      try {
        const enqueuedAt = utc(String(triggerMetadata["enqueuedTimeUtc"]));
        const { data: read, error } = (isBareAlert(message) ? bareAlertBody : announcementBody).safeParse(message);
        if (!read)
          await passOn(deps, { queue: name, message: rawMessage(message, triggerMetadata), enqueuedAt }, error);
        else if ("raised" in read) await deliverAlert(deps, { alert: read, enqueuedAt });
        else {
          const isRedelivered = Number(triggerMetadata["deliveryCount"]) > 1;
          await deliver(deps, { queue: name, announcement: read, enqueuedAt, isRedelivered }, carryOut);
        }
      } catch (error) {
        await handleFailedDelivery(
          deps,
          {
            queue: name,
            messageId: nameOf(triggerMetadata),
            announcement: announcementBody.safeParse(message).data,
            deliveries: Number(triggerMetadata["deliveryCount"]),
            at: deps.clock.now(),
          },
          error,
        );
        throw error;
      }
    },
});

const isBareAlert = (message: unknown): boolean =>
  typeof message === "object" && message !== null && "raised" in message;

/** The broker's identifier of the message; without one, its number in the queue. The host parses an identifier that reads as JSON. */
function nameOf({ messageId, sequenceNumber }: Readonly<Record<string, unknown>>): string {
  const name = messageId ?? sequenceNumber ?? "unnamed";
  return typeof name === "string" ? name : JSON.stringify(name);
}

/**
 * Reads an enqueued time. The host writes it in UTC without a zone; read as local time it would be hours off. Throws where it is no time.
 */
const utc = (time: string): Instant => new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`).toISOString();
