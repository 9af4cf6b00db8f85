import type { Connection, Delivery, EventContext, Sender } from "rhea";
import { ticks } from "./amqp-values.ts";
import { acceptTransfer, openArrivals } from "./arrivals.ts";
import type { DueTimes } from "./due-times.ts";
import { pathOf, type Entities } from "./entities.ts";
import * as errors from "./errors.ts";
import type { Consumer } from "./message.ts";
import type { Queue } from "./queue.ts";
import * as deliveries from "./rhea-deliveries.ts";
import * as quirks from "./rhea-quirks.ts";
import { encodeEntry, lockTag } from "./wire.ts";

/** What the links of all connections share. */
export interface LinkContext {
  readonly entities: Entities;
  readonly time: DueTimes;
  readonly maxMessageBytes: number;
}

/** A receiver's link, and which lock each of its deliveries carries. */
interface Consumption {
  readonly queue: Queue;
  readonly consumer: Consumer;
  readonly tokens: Map<Delivery, string>;
}

const sessionFilter = "com.microsoft:session-filter";
const presettled = 1;
const defaultSessionTimeoutMs = 60_000;

/** The links of one connection: who consumes what, and who waits for a session. */
export class Links {
  readonly #context: LinkContext;
  readonly #consumptions = new Map<Sender, Consumption>();
  readonly #waiting = new Map<Sender, () => void>();

  constructor(connection: Connection, context: LinkContext) {
    this.#context = context;
    const { entities, maxMessageBytes } = context;
    connection.on("session_open", ({ session }: EventContext) => {
      if (!session) return;
      quirks.keepMessagesEncoded(session);
      deliveries.settleInOrder(session);
    });
    connection.on("receiver_open", ({ receiver }: EventContext) => receiver && openArrivals(receiver, entities));
    connection.on("sender_open", ({ sender }: EventContext) => sender && this.#open(sender));
    connection.on("message", (event: EventContext) => {
      const { receiver, delivery } = event;
      if (!receiver || !delivery) return;
      const transfer = { connection, link: receiver, delivery, ...quirks.transferOf(event) };
      acceptTransfer(transfer, entities, maxMessageBytes);
    });
    // "sendable" tells that the window has room again.
    for (const event of ["sender_flow", "sendable"]) {
      connection.on(event, ({ sender }: EventContext) => sender && this.#pump(sender));
    }
    connection.on("sender_draining", ({ sender }: EventContext) => {
      if (sender) quirks.afterAttach(sender, () => quirks.answerDrain(sender));
    });
    for (const event of deliveries.outcomeEvents) {
      connection.on(event, ({ sender, delivery }: EventContext) => {
        if (sender && delivery) this.#settle(sender, delivery, event);
      });
    }
    connection.on("settled", ({ sender, delivery }: EventContext) => {
      if (sender && delivery) this.#forget(sender, delivery);
    });
    connection.on("sender_close", ({ sender }: EventContext) => this.#drop((link) => link === sender));
    connection.on("session_close", ({ session }: EventContext) => this.#drop((link) => link.session === session));
  }

  /** To be called when the socket is gone: what nobody closed would go on taking messages. */
  closed(): void {
    this.#drop(() => true);
  }

  /** Answers the attach of a client that wants to receive: messages, or the replies to its requests. */
  #open(link: Sender): void {
    const address = quirks.addressIn(link.source);
    quirks.echoSettleModes(link);
    quirks.answerEveryDrain(link);
    link.set_source({ address });
    link.set_target({ address: quirks.addressIn(link.target) });
    const node = this.#context.entities.resolve(address);
    if (!node) return link.close(errors.entityNotFound(pathOf(address)));
    if (node.type !== "queue") return;

    const { queue } = node;
    const session = quirks.requestedSession(link, sessionFilter);
    if (session && !queue.requiresSession) return link.close(errors.sessionsNotSupported);
    if (!session && queue.requiresSession) return link.close(errors.sessionsRequired);
    if (session) this.#waitForSession(link, queue, session.id);
    else this.#consume(link, queue, undefined);
  }

  #waitForSession(link: Sender, queue: Queue, wanted: string | undefined): void {
    if (wanted !== undefined && queue.sessions.isLocked(wanted)) {
      return link.close(errors.sessionCannotBeLocked(wanted));
    }
    quirks.withholdAttach(link);
    const { time } = this.#context;
    const timeout = quirks.attachProperty(link, "com.microsoft:timeout") ?? defaultSessionTimeoutMs;
    const expiry = time.at(time.now() + timeout, () => {
      stopWaiting();
      quirks.giveAttach(link);
      link.close(errors.noSessionInTime);
    });
    let cancelRequest = (): void => {};
    const stopWaiting = (): void => {
      this.#waiting.delete(link);
      expiry.cancel();
      cancelRequest();
    };
    this.#waiting.set(link, stopWaiting);
    cancelRequest = queue.sessions.request(wanted, (sessionId) => {
      if (!this.#waiting.has(link)) return false;
      stopWaiting();
      this.#consume(link, queue, sessionId);
      return true;
    });
  }

  #consume(link: Sender, queue: Queue, sessionId: string | undefined): void {
    const tokens = new Map<Delivery, string>();
    const consumer: Consumer = {
      sessionId,
      deletesOnReceipt: link.snd_settle_mode === presettled,
      credit: () => quirks.creditOf(link),
      deliver: (entry) => {
        const token = entry.lock?.token;
        const delivery = link.send(encodeEntry(entry), token === undefined ? undefined : lockTag(token), 0);
        if (token !== undefined) tokens.set(delivery, token);
      },
      // Decisions that crossed this are still answered, until the client closes the link as well.
      sessionLost: () => link.close(errors.lockLost("session")),
    };
    this.#consumptions.set(link, { queue, consumer, tokens });
    if (sessionId !== undefined) {
      const until = queue.sessions.hold(sessionId, consumer);
      const address = quirks.addressIn(link.source);
      link.set_source({ address, filter: { [sessionFilter]: sessionId } });
      quirks.giveAttach(link, { "com.microsoft:locked-until-utc": ticks(until) });
    }
    queue.attach(consumer);
    this.#pump(link);
  }

  #pump(link: Sender): void {
    quirks.afterAttach(link, () => this.#consumptions.get(link)?.queue.pump());
  }

  #settle(link: Sender, delivery: Delivery, event: (typeof deliveries.outcomeEvents)[number]): void {
    const consumption = this.#consumptions.get(link);
    const token = consumption?.tokens.get(delivery);
    if (!consumption || token === undefined) return deliveries.forgetDelivery(delivery); // a reply, or a link that has closed
    consumption.tokens.delete(delivery);
    const result = consumption.queue.settle(token, deliveries.outcomeOf(delivery, event));
    const lost = errors.lockLost(consumption.consumer.sessionId === undefined ? "message" : "session");
    const error = { settled: undefined, lost, refused: errors.deadLetterOfDeadLetter }[result];
    deliveries.settleDelivery(delivery, error);
  }

  /** A delivery that was settled without a decision: its lock is left to expire. */
  #forget(link: Sender, delivery: Delivery): void {
    this.#consumptions.get(link)?.tokens.delete(delivery);
    deliveries.forgetDelivery(delivery);
  }

  #drop(isGone: (link: Sender) => boolean): void {
    for (const [link, stopWaiting] of this.#waiting) if (isGone(link)) stopWaiting();
    for (const [link, { queue, consumer, tokens }] of this.#consumptions) {
      if (!isGone(link)) continue;
      this.#consumptions.delete(link);
      for (const delivery of tokens.keys()) deliveries.forgetDelivery(delivery);
      queue.detach(consumer);
    }
  }
}
