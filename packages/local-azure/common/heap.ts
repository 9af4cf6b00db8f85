/** A value's position in a heap. Pass it to `remove` to remove the value early. */
export interface HeapNode<T> {
  readonly value: T;
  readonly order: number;
  readonly serial: number;
  index: number;
}

const removed = -1;

/** A binary heap with the lowest `order` first. Equal orders keep the order of insertion. Values can be removed from its middle. */
export class Heap<T> {
  readonly #nodes: HeapNode<T>[] = [];
  #nextSerial = 0;

  get size(): number {
    return this.#nodes.length;
  }

  peek(): HeapNode<T> | undefined {
    return this.#nodes[0];
  }

  push(value: T, order: number): HeapNode<T> {
    const node: HeapNode<T> = { value, order, serial: this.#nextSerial++, index: this.#nodes.length };
    this.#nodes.push(node);
    this.#rise(node);
    return node;
  }

  /** Removes the node. A node that was removed already is ignored. */
  remove(node: HeapNode<T>): void {
    const { index } = node;
    if (index === removed) return;
    node.index = removed;
    const last = this.#nodes.pop();
    if (last === undefined || last === node) return;
    this.#place(last, index);
    this.#rise(last);
    this.#sink(last);
  }

  #rise(node: HeapNode<T>): void {
    for (;;) {
      const parent = node.index === 0 ? undefined : this.#nodes[(node.index - 1) >> 1];
      if (parent === undefined || isBefore(parent, node)) return;
      this.#swap(parent, node);
    }
  }

  #sink(node: HeapNode<T>): void {
    for (;;) {
      const left = this.#nodes[2 * node.index + 1];
      const right = this.#nodes[2 * node.index + 2];
      const child = left && right && isBefore(right, left) ? right : left;
      if (child === undefined || isBefore(node, child)) return;
      this.#swap(node, child);
    }
  }

  #swap(a: HeapNode<T>, b: HeapNode<T>): void {
    const { index } = a;
    this.#place(a, b.index);
    this.#place(b, index);
  }

  #place(node: HeapNode<T>, index: number): void {
    node.index = index;
    this.#nodes[index] = node;
  }
}

const isBefore = <T>(a: HeapNode<T>, b: HeapNode<T>): boolean =>
  a.order < b.order || (a.order === b.order && a.serial < b.serial);
