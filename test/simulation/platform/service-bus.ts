import overrides from "../../../infra/azure/service-bus/overrides.json" with { type: "json" };
import { Unavailable } from "../../../shared/ports/failures.ts";
import { newestVersion } from "../../../shared/ports/stored-forms.ts";
import type { QueueName } from "../../../shared/ports/queues.ts";
import type { Announcement } from "../../../shared/ports/announcements.ts";
import type { BareAlert } from "../../../shared/ports/bare-alerts.ts";
import { portsOn, type QueuePorts } from "../../../shared/adapters/queues/queue-ports.ts";
import type { Instant } from "../../../shared/domain/time.ts";
import { callDependency, Refused, type Dependency } from "../world/dependency-call.ts";
import { createInvocation, type Invocation } from "../world/invocation.ts";
import { instantAt, MINUTE, msAt, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** A message for a worker. The enqueued time is the broker's own. */
export interface Received {
  readonly queue: QueueName;
  readonly body: Announcement | BareAlert;
  readonly enqueuedAt: Instant;
  readonly messageId: string;
  /** Including this one. */
  readonly deliveries: number;
}
export type HandleMessage = (invocation: Invocation, message: Received) => Promise<void>;

export interface ServiceBus {
  portsOf(invocation: Invocation): QueuePorts;
  readonly deadLetters: readonly Received[];
  /** The messages that no worker has completed, scheduled ones included. */
  outstanding(): readonly Received["body"][];
  /** Every queue loses its announcements, including scheduled ones. */
  purge(): void;
  /** Replaces all queues by new and empty ones. Calls on their way to the old queues do not reach the new ones. */
  renew(): void;
}

interface Sent extends Pick<Received, "queue" | "body"> {
  readonly id: number;
  /** The number of purges before it was sent. */
  readonly purges: number;
  /** The number of renewals before it was sent. */
  readonly renewals: number;
}
interface Queued extends Sent, Omit<Received, "deliveries"> {
  deliveries: number;
}

const LOCK = MINUTE;

/** The sent messages that no worker has completed, with the purges and renewals that lose them. */
function createUnsettled() {
  const messages = new Map<number, Sent>();
  let sends = 0;
  let purges = 0;
  let renewals = 0;
  const isLost = (message: Sent): boolean =>
    message.renewals < renewals || (message.purges < purges && "effect" in message.body);
  return {
    isLost,
    add(queue: QueueName, body: Received["body"]): Sent {
      const sent = { queue, body, purges, renewals, id: ++sends };
      messages.set(sent.id, sent);
      return sent;
    },
    complete: ({ id }: Sent) => void messages.delete(id),
    bodies: () => [...messages.values()].filter((one) => !isLost(one)).map(({ body }) => body),
    renewals: () => renewals,
    purge: () => void purges++,
    renew: () => void renewals++,
  };
}

/**
 * The relevant behaviour of Service Bus: at-least-once delivery in any order, and scheduled messages. After a throw a message is
 * redelivered at once, and after a death when its lock ends. After too many deliveries it is dead-lettered.
 */
export function createServiceBus(world: World, handle: HandleMessage): ServiceBus {
  const { agenda, random, faultPlan } = world;
  const deadLetters: Received[] = [];
  const unsettled = createUnsettled();
  let enqueued = 0;
  const sending = (queue: QueueName): Dependency => ({
    name: "bus",
    isDown: () => faultPlan.isDown("bus", "sending", `queue ${queue}`),
  });
  const settling = (queue: QueueName): Dependency => ({
    name: "bus",
    isDown: () => faultPlan.isDown("bus", `queue ${queue}`),
  });

  function enqueue(queue: QueueName, body: Received["body"], delay: number) {
    const sent = unsettled.add(queue, body);
    const arrive = () => {
      const enqueuedAt = instantAt(agenda.now());
      const message: Queued = { ...sent, deliveries: 0, enqueuedAt, messageId: `message${++enqueued}` };
      const late = random.between(1, faultPlan.fault(0.05, "message delayed") ? 40 * SECOND : 20);
      agenda.after(late, () => deliver(message), isDayLook(body));
    };
    agenda.after(delay, arrive, isDayLook(body));
  }

  function deliver(message: Queued): void {
    if (unsettled.isLost(message)) return;
    const away = faultPlan.downFor("bus", `queue ${message.queue}`);
    if (away > 0) return agenda.after(away + random.between(0, 3 * SECOND), () => deliver(message));
    if (message.deliveries++ >= overrides.MaxDeliveryCount) return bury(message);
    let settled = false;
    const comeBack = (ms: number) => {
      if (settled) return;
      settled = true;
      agenda.after(ms, () => deliver(message));
    };
    const deliveredAt = agenda.now();
    const lockEnds = () => LOCK - (agenda.now() - deliveredAt);
    const name = nameOf(message);
    const invocation = createInvocation(world, name, () => comeBack(lockEnds()));
    const complete = () =>
      callDependency(world, invocation, settling(message.queue), async () => {
        settled = true;
        unsettled.complete(message);
      });
    void handle(invocation, message).then(
      () => complete().catch(() => comeBack(lockEnds())),
      (error: unknown) => {
        if (!(error instanceof Unavailable || error instanceof Refused))
          world.violate("a worker threw", String((error as Error).stack));
        comeBack(1);
      },
    );
    // A frozen process does not renew its lock, so another process gets the message in the meantime.
    agenda.after(LOCK, () => comeBack(0));
  }

  function bury(message: Queued): void {
    world.trace?.("bus", `dead letter ${nameOf(message)}`);
    deadLetters.push(message);
  }

  function take(invocation: Invocation, queue: QueueName, body: Received["body"], at: Instant | undefined) {
    const sentTo = unsettled.renewals();
    return callDependency(world, invocation, sending(queue), async () => {
      if (sentTo < unsettled.renewals()) return;
      const delay = at === undefined ? 0 : msAt(at) - agenda.now();
      enqueue(queue, body, delay);
      if (faultPlan.isDoubled()) enqueue(queue, body, delay + random.between(0, random.pick(0.1, 3, 40) * SECOND));
    });
  }

  return {
    portsOf: (invocation) =>
      portsOn({
        send: (queue, body, at) => take(invocation, queue, body, at),
        sendRaw: (queue, { body }, at) => take(invocation, queue, asWritten(body), at),
      }),
    deadLetters,
    outstanding: unsettled.bodies,
    purge: unsettled.purge,
    renew: unsettled.renew,
  };
}

/** A message from a later version, for a host that does not know that version. */
export const ahead = (body: Received["body"]): unknown => ({ ...body, v: newestVersion + 1 });
const asWritten = (body: Uint8Array): Received["body"] => {
  const message = JSON.parse(Buffer.from(body).toString()) as Received["body"];
  return { ...message, v: newestVersion };
};

/** A look at a partner's day comes again until the day is closed, days after the last payment. */
const isDayLook = (body: Received["body"]): boolean =>
  "subject" in body && body.subject.kind === "partnerDay" && body.effect === "look";

/** A readable name of a message. */
export const nameOf = ({ body }: Pick<Received, "body">): string =>
  "raised" in body ? `alert ${body.raised.kind} ${body.raised.cause}` : `${body.commandId} ${body.effect}`;
