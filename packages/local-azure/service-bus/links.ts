import type { Connection, EventContext, Receiver, Sender } from "rhea";
import { ticks } from "./amqp-values.ts";
import { acceptTransfer, openArrivals } from "./arrivals.ts";
import { Claims, type TokenJudge } from "./claims.ts";
import { Consumptions } from "./consumptions.ts";
import type { DueTimes } from "./due-times.ts";
import { entityOf, pathOf, queueOf, type Entities } from "./entities.ts";
import * as errors from "./errors.ts";
import { attachRefusal, linkRefusal, type QueueFaults } from "./queue-faults.ts";
import type { Queue } from "./queue.ts";
import * as deliveries from "./rhea-deliveries.ts";
import * as quirks from "./rhea-quirks.ts";

/** The values that the links of all connections share. */
export interface LinkContext {
  readonly entities: Entities;
  readonly time: DueTimes;
  readonly maxMessageBytes: number;
  readonly faults: QueueFaults;
  /** Whether a released delivery counts as a delivery. */
  readonly countReleased: boolean;
  readonly judge: TokenJudge;
}

const sessionFilter = "com.microsoft:session-filter";
const defaultSessionTimeoutMs = 60_000;

/** The links of one connection: its senders, its receivers, and the receivers that wait for a session. */
export class Links {
  readonly #connection: Connection;
  readonly #context: LinkContext;
  readonly #consumptions: Consumptions;
  readonly #claims: Claims;
  readonly #waiting = new Map<Sender, () => void>();

  constructor(connection: Connection, context: LinkContext) {
    this.#connection = connection;
    this.#context = context;
    this.#consumptions = new Consumptions(context);
    this.#claims = new Claims(context.judge, context.time, (entity) => this.#endWithoutToken(entity));
    const arrivals = { ...context, claims: this.#claims };
    connection.on("session_open", ({ session }: EventContext) => {
      if (!session) return;
      quirks.keepMessagesEncoded(session);
      quirks.tellDirectionsApart(session);
      deliveries.settleInOrder(session);
    });
    connection.on("receiver_open", ({ receiver }: EventContext) => receiver && this.#admit(receiver));
    connection.on("sender_open", ({ sender }: EventContext) => sender && this.#admit(sender));
    connection.on("message", (event: EventContext) => {
      const { receiver, delivery } = event;
      if (!receiver || !delivery) return;
      acceptTransfer({ connection, link: receiver, delivery, ...quirks.transferOf(event) }, arrivals);
    });
    // "sendable" means that the window has space again.
    for (const event of ["sender_flow", "sendable"]) {
      connection.on(event, ({ sender }: EventContext) => sender && this.#consumptions.pump(sender));
    }
    connection.on("sender_draining", ({ sender }: EventContext) => sender && this.#consumptions.drain(sender));
    for (const event of deliveries.outcomeEvents) {
      connection.on(event, ({ sender, delivery }: EventContext) => {
        if (sender && delivery) this.#consumptions.settle(sender, delivery, event);
      });
    }
    connection.on("settled", ({ sender, delivery }: EventContext) => {
      if (sender && delivery) this.#consumptions.forget(sender, delivery);
    });
    connection.on("sender_close", ({ sender }: EventContext) => this.#drop((link) => link === sender));
    connection.on("session_close", ({ session }: EventContext) => this.#drop((link) => link.session === session));
  }

  /** Call it when the socket is gone. Otherwise links that were not closed would continue to take messages. */
  closed(): void {
    this.#claims.clear();
    this.#drop(() => true);
  }

  /** Ends the links that their queues no longer accept. Call it when faults were added. */
  endRefused(): void {
    this.#connection.each_link((link: Sender | Receiver) => {
      const queue = this.#queueOf(link);
      const refusal = queue && linkRefusal(this.#context.faults.of(queue));
      if (refusal && link.is_open()) link.close(refusal);
    });
  }

  /** Ends the links to an entity whose token has expired, as Azure does. The client attaches again with another token. */
  #endWithoutToken(entity: string): void {
    this.#connection.each_link((link: Sender | Receiver) => {
      const queue = this.#queueOf(link);
      if (queue && entityOf(queue.name) === entity && link.is_open()) link.close(errors.tokenExpired);
    });
  }

  /** Responds to an attach, in the queue's order. A fault of the queue may reject the link. */
  #admit(link: Sender | Receiver): void {
    const { faults } = this.#context;
    const queue = this.#queueOf(link);
    if (!queue || !faults.isStalled(queue)) return this.#open(link, queue);
    quirks.withholdAttach(link);
    faults.inTurn(queue, () => {
      if (!link.is_remote_open()) return; // the client has given up
      quirks.giveAttach(link);
      this.#open(link, queue);
    });
  }

  #open(link: Sender | Receiver, queue: Queue | undefined): void {
    const refusal = queue && this.#refusalOf(queue);
    if (link.is_receiver()) openArrivals(link as Receiver, this.#context.entities);
    else this.#openDepartures(link as Sender, refusal);
    if (refusal) link.close(refusal);
  }

  #refusalOf(queue: Queue): errors.AmqpError | undefined {
    return this.#claims.allow(queue) ? attachRefusal(this.#context.faults.of(queue)) : errors.tokenMissing;
  }

  #queueOf(link: Sender | Receiver): Queue | undefined {
    const terminus = link.is_receiver() ? link.target : link.source;
    return queueOf(this.#context.entities.resolve(quirks.addressIn(terminus)));
  }

  /** Responds to the attach of a client that receives messages, or the replies to its requests. */
  #openDepartures(link: Sender, refusal: errors.AmqpError | undefined): void {
    const address = quirks.addressIn(link.source);
    quirks.echoSettleModes(link);
    quirks.answerEveryDrain(link);
    link.set_source({ address });
    link.set_target({ address: quirks.addressIn(link.target) });
    const node = this.#context.entities.resolve(address);
    if (!node) return link.close(errors.entityNotFound(pathOf(address)));
    if (node.type !== "queue" || refusal) return;

    const { queue } = node;
    const session = quirks.requestedSession(link, sessionFilter);
    if (session && !queue.requiresSession) return link.close(errors.sessionsNotSupported);
    if (!session && queue.requiresSession) return link.close(errors.sessionsRequired);
    if (session) this.#waitForSession(link, queue, session.id);
    else this.#consumptions.start(link, queue, undefined);
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
      this.#consumptions.start(link, queue, sessionId, (until) => {
        link.set_source({ address: quirks.addressIn(link.source), filter: { [sessionFilter]: sessionId } });
        quirks.giveAttach(link, { "com.microsoft:locked-until-utc": ticks(until) });
      });
      return true;
    });
  }

  #drop(isGone: (link: Sender) => boolean): void {
    for (const [link, stopWaiting] of this.#waiting) if (isGone(link)) stopWaiting();
    this.#consumptions.drop(isGone);
  }
}
