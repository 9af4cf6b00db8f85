import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import type { Channel } from "../../channel.ts";
import { publisher, watch } from "../../publish.ts";

/** A part's end of a channel and its parent's end, as between two processes: messages pass as JSON. */
function newChannel(): { readonly part: Channel; readonly parent: Channel } {
  const ends = [new EventEmitter(), new EventEmitter()] as const;
  const end = (own: EventEmitter, other: EventEmitter): Channel =>
    Object.assign(own, {
      connected: true,
      send: (message: object) => other.emit("message", JSON.parse(JSON.stringify(message))),
    });
  return { part: end(...ends), parent: end(ends[1], ends[0]) };
}

it("publishes nothing before the parent requests it", () => {
  const { part, parent } = newChannel();
  const seen: unknown[] = [];
  parent.on("message", (message) => seen.push(message));
  const { publish, isWatched } = publisher<string>("word", () => {}, part);
  publish("unheard");
  expect(isWatched()).toBe(false);
  expect(seen).toEqual([]);
});

it("publishes its present items when the parent requests it, and then each new one", () => {
  const { part, parent } = newChannel();
  const seen: string[] = [];
  const { publish, isWatched } = publisher<string>("word", (publish) => publish("had already"), part);
  watch<string>(parent, "word", (item) => seen.push(item));
  publish("new");
  expect(isWatched()).toBe(true);
  expect(seen).toEqual(["had already", "new"]);
});

it("leaves the channel's other messages to others", () => {
  const { part, parent } = newChannel();
  const seen: string[] = [];
  const { isWatched } = publisher<string>("word", () => {}, part);
  parent.send?.({ faults: [], turn: 1 });
  expect(isWatched()).toBe(false);
  watch<string>(parent, "word", (item) => seen.push(item));
  part.send?.({ faultsTaken: 1 });
  part.send?.({ published: "another word", item: "x" });
  expect(seen).toEqual([]);
});

it("does not send to a parent that has gone", () => {
  const { part, parent } = newChannel();
  const { publish } = publisher<string>("word", () => {}, part);
  watch<string>(parent, "word", () => {});
  Object.assign(part, {
    connected: false,
    send: () => {
      throw new Error("the channel is closed");
    },
  });
  expect(() => publish("late")).not.toThrow();
});
