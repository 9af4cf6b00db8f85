import type { Queue } from "./queue.ts";

/** The node that an address names: a queue or dead-letter queue, its management node, or the node for tokens. */
export type Node = { readonly type: "cbs" } | { readonly type: "queue" | "management"; readonly queue: Queue };

const managementSuffix = /\/\$management$/i;
const deadLetterSuffix = /\/\$deadletterqueue$/i;

/** The broker's queues by address. Case is ignored, as in Azure. */
export class Entities {
  readonly #queues: ReadonlyMap<string, Queue>;

  constructor(queues: readonly Queue[]) {
    this.#queues = new Map(queues.map((queue) => [queue.name.toLowerCase(), queue]));
  }

  /** Every declared queue. Each has its dead-letter queue. */
  queues(): Iterable<Queue> {
    return this.#queues.values();
  }

  /** Accepts a bare address or a URL. Returns undefined if no node has this address. */
  resolve(address: string): Node | undefined {
    const path = pathOf(address);
    if (path.toLowerCase() === "$cbs") return { type: "cbs" };
    const queue = this.#find(path.replace(managementSuffix, ""));
    return queue && { type: managementSuffix.test(path) ? "management" : "queue", queue };
  }

  #find(path: string): Queue | undefined {
    const queue = this.#queues.get(entityOf(path).toLowerCase());
    return deadLetterSuffix.test(path) ? queue?.deadLetters : queue;
  }
}

/** The name of the declared queue, also for the name of its dead-letter queue. */
export const entityOf = (name: string): string => name.replace(deadLetterSuffix, "");

/** Whether both are the same node: the node for tokens, or the same part of the same queue. */
export const isSameNode = (one: Node | undefined, other: Node | undefined): boolean =>
  one?.type === other?.type && queueOf(one) === queueOf(other);

export const queueOf = (node: Node | undefined): Queue | undefined =>
  node && "queue" in node ? node.queue : undefined;

/** `sb://host:port/queue` and `/queue` both mean `queue`. */
export const pathOf = (address: string): string => address.replace(/^\w+:\/\/[^/]+/, "").replace(/^\//, "");
