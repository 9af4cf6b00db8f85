import type { Delivery, Sender } from "rhea";
import * as errors from "./errors.ts";
import type { Consumer, Entry, Outcome } from "./message.ts";
import { delivers, type QueueFaults } from "./queue-faults.ts";
import type { Queue } from "./queue.ts";
import * as deliveries from "./rhea-deliveries.ts";
import * as quirks from "./rhea-quirks.ts";
import { encodeEntry, lockTag } from "./wire.ts";

/** A receiver's queue and consumer, and the lock token of each of its deliveries. */
interface Consumption {
  readonly queue: Queue;
  readonly consumer: Consumer;
  readonly tokens: Map<Delivery, string>;
}

const presettled = 1;

/** The receivers of one connection: delivers messages to them, and carries out their decisions. */
export class Consumptions {
  readonly #faults: QueueFaults;
  readonly #countReleased: boolean;
  readonly #byLink = new Map<Sender, Consumption>();

  constructor({ faults, countReleased }: { readonly faults: QueueFaults; readonly countReleased: boolean }) {
    this.#faults = faults;
    this.#countReleased = countReleased;
  }

  /**
   * Delivers the queue's messages to the link. On a queue with sessions, these are one session's messages, and `onHeld` receives the end of
   * the session's lock (milliseconds since 1970).
   */
  start(link: Sender, queue: Queue, sessionId: string | undefined, onHeld: (until: number) => void = () => {}): void {
    const tokens = new Map<Delivery, string>();
    let onTheirWay = 0; // delivered by the queue, but still delayed by the fault "slow"
    const consumer: Consumer = {
      sessionId,
      deletesOnReceipt: link.snd_settle_mode === presettled,
      credit: () => (delivers(this.#faults.of(queue)) ? quirks.creditOf(link) - onTheirWay : 0),
      deliver: (entry) => {
        const token = entry.lock?.token;
        onTheirWay++;
        this.#faults.inTurn(queue, () => {
          onTheirWay--;
          send(link, entry, token, tokens);
        });
      },
      // Decisions that crossed this detach are still processed, until the client closes the link as well.
      sessionLost: () => link.close(errors.lockLost("session")),
    };
    this.#byLink.set(link, { queue, consumer, tokens });
    if (sessionId !== undefined) onHeld(queue.sessions.hold(sessionId, consumer));
    queue.attach(consumer);
    this.pump(link);
  }

  /** Call it when the link may accept more messages than before. */
  pump(link: Sender): void {
    quirks.afterAttach(link, () => this.#byLink.get(link)?.queue.pump());
  }

  /** Reports the link's credit as used up, after the deliveries that a slow queue still delays. */
  drain(link: Sender): void {
    const answer = (): void => quirks.afterAttach(link, () => quirks.answerDrain(link));
    const consumption = this.#byLink.get(link);
    if (!consumption) return answer();
    this.#faults.inTurn(consumption.queue, () => {
      if (link.is_open()) answer();
    });
  }

  /** Carries out a receiver's decision and responds to it, also when the link was closed in the meantime. */
  settle(link: Sender, delivery: Delivery, event: (typeof deliveries.outcomeEvents)[number]): void {
    const consumption = this.#byLink.get(link);
    const token = consumption?.tokens.get(delivery);
    if (!consumption || token === undefined) return deliveries.forgetDelivery(delivery); // a reply, or a link that has closed
    const { queue, consumer, tokens } = consumption;
    tokens.delete(delivery);
    const decided = deliveries.outcomeOf(delivery, event);
    const isAbandoned = decided.type === "release" && this.#countReleased;
    const outcome: Outcome = isAbandoned ? { type: "abandon", properties: new Map() } : decided;
    this.#faults.inTurn(queue, () => {
      const result = queue.settle(token, outcome);
      const lost = errors.lockLost(consumer.sessionId === undefined ? "message" : "session");
      const error = { settled: undefined, lost, refused: errors.deadLetterOfDeadLetter }[result];
      deliveries.settleDelivery(delivery, error);
    });
  }

  /** Forgets a delivery that was settled without a decision. Its lock expires by itself. */
  forget(link: Sender, delivery: Delivery): void {
    this.#byLink.get(link)?.tokens.delete(delivery);
    deliveries.forgetDelivery(delivery);
  }

  /** Ends the consumption of links that are gone. */
  drop(isGone: (link: Sender) => boolean): void {
    for (const [link, { queue, consumer, tokens }] of this.#byLink) {
      if (!isGone(link)) continue;
      this.#byLink.delete(link);
      for (const delivery of tokens.keys()) deliveries.forgetDelivery(delivery);
      queue.detach(consumer);
    }
  }
}

/** Sends a message. If the link was closed before, the message stays locked, like a message that was lost in transit. */
function send(link: Sender, entry: Entry, token: string | undefined, tokens: Map<Delivery, string>): void {
  if (!link.is_open()) return;
  const delivery = link.send(encodeEntry(entry), token === undefined ? undefined : lockTag(token), 0);
  if (token !== undefined) tokens.set(delivery, token);
}
