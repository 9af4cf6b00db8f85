import { afterEach, expect, it, vi } from "vitest";
import { untilStopped } from "../../start/until-stopped.ts";
import { endSignal } from "../../../../infra/tools/script.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

it("npm start stops when npm's shell has ended, because npm sends SIGTERM only to its shell", async () => {
  vi.stubEnv("npm_lifecycle_event", "start");
  vi.spyOn(process, "ppid", "get").mockReturnValue(1);
  const stop = vi.fn(async () => {});
  expect(await untilStopped(stop, { failed: new Promise(() => {}), logs: "logs" })).toBe("asked");
  expect(stop).toHaveBeenCalledOnce();
});

it("the same Ctrl-C from the terminal and from npm stops once; a later signal of either kind ends the process at once", () => {
  vi.useFakeTimers();
  const signal = endSignal();
  const listeners = () => [process.listenerCount("SIGINT"), process.listenerCount("SIGTERM")];
  const before = listeners();
  process.emit("SIGINT");
  expect([signal.aborted, listeners()]).toEqual([true, before]);
  vi.advanceTimersByTime(500);
  expect(listeners()).toEqual(before.map((count) => count - 1));
});
