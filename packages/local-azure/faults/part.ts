import * as z from "zod";
import type { Channel } from "../common/channel.ts";
import { newFaults, type Faults } from "./faults.ts";
import { faultList, type Fault } from "./rule.ts";

// The parent sends the whole list of faults over its channel to each part of the stack. Each part is its own process. It confirms each
// list, so that the request for a fault completes when the fault is in force everywhere.

const handed = z.strictObject({ faults: faultList, turn: z.int() });
const taken = z.strictObject({ faultsTaken: z.int() });

/** The message to a part. The part responds with `{ faultsTaken: turn }`. */
export type HandedFaults = z.infer<typeof handed>;

/**
 * For a part: the faults that its parent sends. `changed` is called after each change, and when a fault ends. Then the part can end
 * connections or continue. Without a parent there are no faults.
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
 * For the parent: sends a part the faults in force. Resolves when the part has accepted them, or has ended, because an ended part serves no
 * call. Rejects if neither happens within ten seconds.
 */
export function handFaults(part: Channel, faults: readonly Fault[]): Promise<void> {
  const turn = ++turns;
  return new Promise((resolve, reject) => {
    if (!part.connected) return resolve();
    const late = setTimeout(() => done(new Error("A part of the stack does not take faults.")), TAKEN_WITHIN_MS);
    const done = (error?: Error) => {
      clearTimeout(late);
      part.off("message", onMessage);
      part.off("disconnect", done);
      if (error) reject(error);
      else resolve();
    };
    const onMessage = (message: unknown) => {
      if (taken.safeParse(message).data?.faultsTaken === turn) done();
    };
    part.on("message", onMessage);
    part.once("disconnect", done);
    part.send?.({ faults, turn } satisfies HandedFaults);
  });
}
