import { afterEach, expect, it, vi } from "vitest";
import { untilStopped } from "../../../infra/local/start/until-stopped.ts";
import { endSignal } from "../../../infra/tools/script.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it("npm start stops when npm's shell has ended, because npm sends SIGTERM only to its shell", async () => {
  vi.stubEnv("npm_lifecycle_event", "start");
  vi.spyOn(process, "ppid", "get").mockReturnValue(1);
  const stop = vi.fn(async () => {});
  expect(await untilStopped(stop, { failed: new Promise(() => {}), logs: "logs" })).toBe("asked");
  expect(stop).toHaveBeenCalledOnce();
});

it("the same Ctrl-C from the terminal and from npm stops once, and does not end the process at once", () => {
  const before = process.listenerCount("SIGINT");
  const signal = endSignal();
  process.emit("SIGINT");
  expect([signal.aborted, process.listenerCount("SIGINT")]).toEqual([true, Math.max(1, before)]);
});
