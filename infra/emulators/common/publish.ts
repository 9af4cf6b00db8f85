import type { Channel } from "./channel.ts";

// A part of the local cloud publishes what passes it to its parent, over the channel between the two. It does so only after its parent asked
// for it, so that a stack that nobody watches pays nothing.

const ASK = { publish: true } as const;

/** For a part: sends items to its parent. */
export interface Publisher<Item> {
  /** Whether the parent has asked. */
  readonly isWatched: () => boolean;
  /** Does nothing before the parent has asked. The item is sent as JSON: it holds what JSON can hold. */
  publish(item: Item): void;
}

/**
 * For a part: what it publishes, under one word. `begin` is called whenever the parent asks, so that the part can publish what it has
 * already. Without a parent nothing is published.
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

/** For the parent: asks a part to publish, and receives each of its items. Items have the type that the part's own folder declares. */
export function watch<Item>(part: Channel, what: string, receive: (item: Item) => void): void {
  part.on("message", (message) => {
    if (typeof message !== "object" || message === null || !("published" in message) || !("item" in message)) return;
    if (message.published === what) receive(message.item as Item); // both ends are this repository's
  });
  if (part.connected) part.send?.(ASK);
}
