import { z } from "zod";
import { newFaults, type Faults } from "./faults.ts";
import { faultList, type Fault } from "./rule.ts";

// How faults reach the parts of a stack, which are processes of their own: the whole list, each time, over the channel to the parent.
// A part says when it has taken a list, so that whoever asked for a fault is answered when it holds everywhere.

const handed = z.strictObject({ faults: faultList, turn: z.int() });
const taken = z.strictObject({ faultsTaken: z.int() });

/** What a part is sent; it answers `{ faultsTaken: turn }`. */
export type HandedFaults = z.infer<typeof handed>;

/** The channel between a part and its parent, as `process` has it in the part and the child process in the parent. */
export interface Channel {
  on(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
  once(event: "disconnect", listener: () => void): unknown;
  off(event: "disconnect", listener: () => void): unknown;
  send?(message: object): unknown;
  readonly connected: boolean;
}

/**
 * For a part: the faults that its parent hands it. `changed` is called after each change, and when a fault's time is over, for what has to act
 * on it by itself: to end connections, or to go on. Without a parent there are none.
 */
export function faultsFromParent(channel: Channel = process, changed: () => void = () => {}): Faults {
  const faults = newFaults(Date.now);
  let over: NodeJS.Timeout | undefined;
  const wakeAtNextEnd = () => {
    clearTimeout(over);
    const next = Math.min(...faults.list().map(({ until }) => until));
    if (next === Infinity) return;
    over = setTimeout(
      () => {
        changed();
        wakeAtNextEnd();
      },
      next - Date.now() + 1,
    );
    over.unref();
  };
  channel.on("message", (message) => {
    const read = handed.safeParse(message);
    if (!read.success) return; // the channel has other messages
    faults.replace(read.data.faults);
    wakeAtNextEnd();
    changed();
    channel.send?.({ faultsTaken: read.data.turn });
  });
  return faults;
}

const TAKEN_WITHIN_MS = 10_000;
let turns = 0;

/**
 * For the parent: hands a part the faults in force. Resolves when the part has taken them, or has ended: a part that is gone serves nobody.
 * Rejects when it does neither within ten seconds.
 */
export function handFaults(part: Channel, faults: readonly Fault[]): Promise<void> {
  const turn = ++turns;
  return new Promise((resolve, reject) => {
    if (!part.connected) return resolve();
    const late = setTimeout(() => done(new Error("A part of the stack does not take faults.")), TAKEN_WITHIN_MS);
    const done = (error?: Error) => {
      clearTimeout(late);
      part.off("message", hear);
      part.off("disconnect", done);
      if (error) reject(error);
      else resolve();
    };
    const hear = (message: unknown) => {
      if (taken.safeParse(message).data?.faultsTaken === turn) done();
    };
    part.on("message", hear);
    part.once("disconnect", done);
    part.send?.({ faults, turn } satisfies HandedFaults);
  });
}
