/**
 * Loaded into a process before its own code (`node --import`). Every second it appends one line to the file that `EVENT_LOOP_DELAY_FILE`
 * names. The line holds the longest delay of the event loop in that second, in milliseconds.
 */
import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** The interval of the sampling timer, which Node counts as delay. */
const RESOLUTION_MS = 10;

const file = process.env["EVENT_LOOP_DELAY_FILE"];
if (file === undefined) throw new Error("EVENT_LOOP_DELAY_FILE is not set");
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();
setInterval(() => {
  const longest = histogram.count === 0 ? 0 : histogram.max / 1e6 - RESOLUTION_MS;
  histogram.reset();
  appendFileSync(file, `${Math.max(0, longest).toFixed(1)}\n`);
}, 1000).unref();
