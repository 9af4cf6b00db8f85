import type { Channel } from "./channel.ts";

// A part of the local cloud publishes its calls, mails, counts or rows to its parent, over the channel between the two. It starts only when
// the parent asks, so that a stack without a watcher pays nothing.

const ASK = { publish: true } as const;

/** For a part: sends items to its parent. */
export interface Publisher<Item> {
  /** Whether the parent has asked. */
  readonly isWatched: () => boolean;
  /** Sends the item as JSON, so it may contain only what JSON supports. Does nothing before the parent has asked. */
  publish(item: Item): void;
}

/**
 * For a part: makes its publisher. `what` names the kind of item. `begin` is called whenever the parent asks, so that the part can publish
 * its existing items. Without a parent, nothing is published.
 */
export function publisher<Item>(
  what: string,
  begin: (publish: (item: Item) => void) => void = () => {},
  channel: Channel = process,
): Publisher<Item> {
  let isWatched = false;
  const publish = (item: Item) => {
    if (isWatched && channel.connected) channel.send?.({ published: what, item });
  };
  channel.on("message", (message) => {
    if (typeof message !== "object" || message === null || !("publish" in message)) return; // the channel has other messages
    isWatched = true;
    begin(publish);
  });
  return { isWatched: () => isWatched, publish };
}

/** For the parent: asks a part to publish, and receives its items. The part's own folder declares their type. */
export function watch<Item>(part: Channel, what: string, receive: (item: Item) => void): void {
  part.on("message", (message) => {
    if (typeof message !== "object" || message === null || !("published" in message) || !("item" in message)) return;
    if (message.published === what) receive(message.item as Item); // both ends are code of this repository
  });
  if (part.connected) part.send?.(ASK);
}
