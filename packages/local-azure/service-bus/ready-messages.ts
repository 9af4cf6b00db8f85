import { Heap, type HeapNode } from "../common/heap.ts";
import type { Entry } from "./message.ts";

/** The messages that are ready for a consumer, by session and in order of sequence number. Without sessions, the session is "". */
export class ReadyMessages {
  readonly #heaps = new Map<string, Heap<Entry>>();
  readonly #nodes = new Map<Entry, HeapNode<Entry>>();
  readonly #sessionOf: (entry: Entry) => string;

  constructor(sessionOf: (entry: Entry) => string) {
    this.#sessionOf = sessionOf;
  }

  /** Adds the message. A returned message gets its old position again. */
  add(entry: Entry): void {
    const session = this.#sessionOf(entry);
    let heap = this.#heaps.get(session);
    if (!heap) this.#heaps.set(session, (heap = new Heap()));
    this.#nodes.set(entry, heap.push(entry, entry.sequenceNumber));
  }

  first(session: string): Entry | undefined {
    return this.#heaps.get(session)?.peek()?.value;
  }

  remove(entry: Entry): void {
    const node = this.#nodes.get(entry);
    const session = this.#sessionOf(entry);
    const heap = this.#heaps.get(session);
    if (!node || !heap) return;
    this.#nodes.delete(entry);
    heap.remove(node);
    if (heap.size === 0) this.#heaps.delete(session);
  }

  sessions(): string[] {
    return [...this.#heaps.keys()];
  }

  isEmpty(): boolean {
    return this.#nodes.size === 0;
  }
}
