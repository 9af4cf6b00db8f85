import { useEffect, useRef, useState } from "preact/hooks";
import type { Change, Snapshot } from "../views/snapshot.ts";
import { merged } from "./merged.ts";

// The page's only state that comes from the server. Each change replaces it as a whole, but unchanged lists keep their identity.

let state: Snapshot | undefined;
let connection: Connection = { isLive: false, lostAt: undefined };
const listeners = new Set<() => void>();
let frame = 0;

export interface Connection {
  readonly isLive: boolean;
  /**
   * Since when the page's server does not respond, in milliseconds since 1970. Undefined while it responds, and before the first
   * connection.
   */
  readonly lostAt: number | undefined;
}

/** Connects to the stream. The browser reconnects by itself, and then gets a complete snapshot. */
export function connect(): void {
  const stream = new EventSource("stream");
  stream.addEventListener("snapshot", ({ data }) => set(JSON.parse(data as string) as Snapshot, true));
  stream.addEventListener("change", ({ data }) => {
    if (state) set(merged(state, JSON.parse(data as string) as Change), true);
  });
  stream.addEventListener("error", () => set(state, false));
}

function set(next: Snapshot | undefined, isLive: boolean): void {
  state = next;
  if (isLive !== connection.isLive) connection = { isLive, lostAt: isLive ? undefined : Date.now() };
  frame ||= requestAnimationFrame(notify);
}

/** Notifies all listeners at once, so that many changes need only one rendering. */
function notify(): void {
  frame = 0;
  for (const listener of listeners) listener();
}

/**
 * The selected part of the current state. Undefined until the first snapshot. Renders the component again when the result of `pick`
 * changes, at most once a frame. An object or list from `pick` is compared by its members, so build it from values of the state.
 */
export function useLive<Part>(pick: (state: Snapshot) => Part): Part | undefined {
  return useHeard(() => (state === undefined ? undefined : pick(state)));
}

export const useConnection = (): Connection => useHeard(() => connection);

function useHeard<Part>(read: () => Part): Part {
  const latest = useRef(read);
  latest.current = read;
  const shown = useRef<Part>(undefined as Part);
  const now = read();
  if (!isSame(shown.current, now)) shown.current = now;
  const [, draw] = useState({});
  useEffect(() => {
    const listener = () => {
      if (!isSame(shown.current, latest.current())) draw({});
    };
    listeners.add(listener);
    listener(); // picks up changes since the rendering
    return () => void listeners.delete(listener);
  }, []);
  return shown.current;
}

/** Whether the values are the same, or are objects or lists with the same members. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => Object.is(item, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => Object.is(one[name], other[name]));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
