import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newState, type LiveState } from "../../../live/state.ts";
import type { CallView } from "../../../live/views/calls.ts";
import { LONGEST, type Change } from "../../../live/views/snapshot.ts";

const call = (id: string, status = 200): CallView => ({
  id,
  at: 0,
  api: "partners",
  operation: "pos-payment",
  method: "GET",
  path: "/",
  status,
  ms: 1,
});

let state: LiveState;
let heard: Change[];
beforeEach(() => {
  vi.useFakeTimers();
  state = newState();
  heard = [];
  state.subscribe((change) => heard.push(change));
});
afterEach(() => {
  state.stop();
  vi.useRealTimers();
});

describe("the state of the live page", () => {
  it("sends many changes as twenty events a second", () => {
    for (let ms = 0; ms < 1_000; ms++) {
      state.put("calls", call(String(ms)));
      vi.advanceTimersByTime(1);
    }
    expect(heard.length).toBeGreaterThan(15);
    expect(heard.length).toBeLessThanOrEqual(20);
    expect(heard.flatMap(({ calls = [] }) => calls)).toHaveLength(1_000 - (1_000 % 50));
  });

  it("sends an item that changed several times once, in its latest state, and the newest first", () => {
    state.put("calls", call("a", 100));
    state.put("calls", call("b"));
    state.put("calls", call("a", 200));
    vi.runAllTimers();
    expect(heard).toEqual([{ calls: [call("b"), call("a", 200)] }]);
  });

  it("replaces an item in its position", () => {
    for (const id of ["a", "b", "c"]) state.put("calls", call(id));
    state.put("calls", call("b", 409));
    expect(state.snapshot().calls).toEqual([call("c"), call("b", 409), call("a")]);
  });

  it("keeps the newest of a long list, and does not send those that left", () => {
    for (let n = 0; n < LONGEST.calls + 30; n++) state.put("calls", call(String(n)));
    vi.runAllTimers();
    const { calls } = state.snapshot();
    expect(calls).toHaveLength(LONGEST.calls);
    expect([calls.at(0)?.id, calls.at(-1)?.id]).toEqual([String(LONGEST.calls + 29), "30"]);
    expect(heard.flatMap(({ calls = [] }) => calls)).toHaveLength(LONGEST.calls);
  });

  it("sends small parts as a whole, and nothing without a change", () => {
    state.set("receiver", { answer: "500" });
    vi.runAllTimers();
    vi.advanceTimersByTime(1_000);
    expect(heard).toEqual([{ receiver: { answer: "500" } }]);
  });

  it("sends nothing to a reader that has left", () => {
    const others: Change[] = [];
    const leave = state.subscribe((change) => others.push(change));
    leave();
    state.put("calls", call("a"));
    vi.runAllTimers();
    expect(others).toEqual([]);
    expect(heard).toHaveLength(1);
  });
});
