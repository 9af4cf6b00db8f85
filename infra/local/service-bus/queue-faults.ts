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
 * The faults that queues are to show. A dead-letter queue shows its queue's. What a silent or slow queue is asked to do is held back here and
 * done later, in the order in which it was asked: a client that has given up meanwhile finds that it was done all the same.
 */
export class QueueFaults {
  readonly #faults: Pick<Faults, "of">;
  readonly #time: DueTimes;
  readonly #onFault: (fault: unknown) => void;
  readonly #held = new Map<string, Held[]>();

  /** `onFault` is told of errors in what was held back: nobody waits for it who could hear of them. */
  constructor(faults: Pick<Faults, "of">, time: DueTimes, onFault: (fault: unknown) => void) {
    this.#faults = faults;
    this.#time = time;
    this.#onFault = onFault;
  }

  of(queue: Queue): Kind | undefined {
    return this.#faultOf(entityOf(queue.name))?.kind;
  }

  /** Whether what the queue is asked now would have to wait. */
  isStalled(queue: Queue): boolean {
    const kind = this.of(queue);
    return kind === "silent" || kind === "slow" || this.#held.has(entityOf(queue.name));
  }

  /** Acts at once, or when the queue answers again; never before what was asked earlier. */
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

  /** To be called when faults have come or gone. */
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

/** Why a link to the queue is refused, or ended where it is open already; undefined where it is not. */
export function linkRefusal(kind: Kind | undefined): AmqpError | undefined {
  if (kind === "away") return linkForced;
  return kind === "forbidden" ? accessRefused : undefined;
}

/** Why a new link is refused. Those that are open stay so while a queue is busy. */
export const attachRefusal = (kind: Kind | undefined): AmqpError | undefined =>
  kind === "busy" ? serverBusy : linkRefusal(kind);

/** Why a queue takes no message, or carries out no other request. A full one still does the rest. */
export function requestRefusal(kind: Kind | undefined, isSend: boolean): AmqpError | undefined {
  if (kind === "busy") return serverBusy;
  return kind === "full" && isSend ? queueFull : undefined;
}

/** Whether the queue hands messages to its receivers. */
export const delivers = (kind: Kind | undefined): boolean => kind !== "silent" && linkRefusal(kind) === undefined;
