import type { Faults } from "../faults/faults.ts";
import type { Fault } from "../faults/rule.ts";
import type { DueTimes } from "./due-times.ts";
import { entityOf } from "./entities.ts";
import { accessRefused, linkForced, queueFull, serverBusy, type AmqpError } from "./errors.ts";
import type { Queue } from "./queue.ts";

type Kind = Fault["kind"];

interface Held {
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly act: () => void;
}

/**
 * The faults that queues show. A dead-letter queue shows its queue's fault. Requests to a silent or slow queue are held back here and
 * carried out later, in order. They are carried out even if their client has given up in the meantime.
 */
export class QueueFaults {
  readonly #faults: Pick<Faults, "of">;
  readonly #time: DueTimes;
  readonly #onFault: (fault: unknown) => void;
  readonly #held = new Map<string, Held[]>();

  /** `onFault` receives the errors of requests that were held back, because no caller waits for them any more. */
  constructor(faults: Pick<Faults, "of">, time: DueTimes, onFault: (fault: unknown) => void) {
    this.#faults = faults;
    this.#time = time;
    this.#onFault = onFault;
  }

  of(queue: Queue): Kind | undefined {
    return this.#faultOf(entityOf(queue.name))?.kind;
  }

  /** Whether a request to the queue would have to wait now. */
  isStalled(queue: Queue): boolean {
    const kind = this.of(queue);
    return kind === "silent" || kind === "slow" || this.#held.has(entityOf(queue.name));
  }

  /** Calls `act` at once, or when the queue responds again, but never before an earlier request. */
  inTurn(queue: Queue, act: () => void): void {
    if (!this.isStalled(queue)) return act();
    const entity = entityOf(queue.name);
    const fault = this.#faultOf(entity);
    const notBefore = this.#time.now() + (fault?.kind === "slow" ? fault.milliseconds : 0);
    const held = this.#held.get(entity) ?? [];
    this.#held.set(entity, held);
    held.push({ notBefore, act });
    if (held.length === 1) this.#wake(entity, notBefore);
  }

  /** Call it when faults were added or removed. */
  resume(): void {
    for (const entity of this.#held.keys()) this.#release(entity);
  }

  #release(entity: string): void {
    const held = this.#held.get(entity) ?? [];
    for (let [next] = held; next; [next] = held) {
      if (this.#faultOf(entity)?.kind === "silent") return;
      if (next.notBefore > this.#time.now()) return this.#wake(entity, next.notBefore);
      this.#do(next.act);
      held.shift();
    }
    this.#held.delete(entity);
  }

  #wake(entity: string, time: number): void {
    if (time > this.#time.now()) this.#time.at(time, () => this.#release(entity));
  }

  #do(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#onFault(error);
    }
  }

  #faultOf(entity: string): Fault | undefined {
    return this.#faults.of({ queue: entity });
  }
}

/** The error that rejects a new link to the queue, or ends an attached one. Undefined if links are allowed. */
export function linkRefusal(kind: Kind | undefined): AmqpError | undefined {
  if (kind === "away") return linkForced;
  return kind === "forbidden" ? accessRefused : undefined;
}

/** The error that rejects a new link. Attached links stay while a queue is busy. */
export const attachRefusal = (kind: Kind | undefined): AmqpError | undefined =>
  kind === "busy" ? serverBusy : linkRefusal(kind);

/** The error with which a queue rejects a message or another request. A full queue rejects only messages. */
export function requestRefusal(kind: Kind | undefined, isSend: boolean): AmqpError | undefined {
  if (kind === "busy") return serverBusy;
  return kind === "full" && isSend ? queueFull : undefined;
}

/** Whether the queue delivers messages to its receivers. */
export const delivers = (kind: Kind | undefined): boolean => kind !== "silent" && linkRefusal(kind) === undefined;
