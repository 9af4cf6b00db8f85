import { describe, expect, it } from "vitest";
import { merged } from "../../../live/page/merged.ts";
import type { CallView } from "../../../live/views/calls.ts";
import { LONGEST } from "../../../live/views/snapshot.ts";
import { sampleSource } from "../../browser/sample-source.ts";

const before = sampleSource().snapshot();
const [call] = before.calls;
const calls = (...ids: readonly string[]): readonly CallView[] => ids.map((id) => ({ ...(call as CallView), id }));

describe("a change that the page receives", () => {
  it("replaces a changed item in its position, and puts a new one in front", () => {
    const list = merged(
      { ...before, calls: calls("b", "a") },
      { calls: [...calls("c"), ...calls("a").map((call) => ({ ...call, status: 500 }))] },
    );
    expect(list.calls.map(({ id, status }) => [id, status])).toEqual([
      ["c", call?.status],
      ["b", call?.status],
      ["a", 500],
    ]);
  });

  it("replaces every other list as a whole", () => {
    expect(merged(before, { alerts: [] }).alerts).toEqual([]);
  });

  it("leaves unnamed lists as the very same object", () => {
    const after = merged(before, { faults: [] });
    expect(after.payments).toBe(before.payments);
    expect(after.stack).toBe(before.stack);
  });

  it("keeps at most the longest list, and drops the oldest items", () => {
    const full = { ...before, calls: calls(...Array.from({ length: LONGEST.calls }, (_, i) => `old-${i}`)) };
    const { calls: kept } = merged(full, { calls: calls("new") });
    expect(kept).toHaveLength(LONGEST.calls);
    expect([kept[0]?.id, kept.at(-1)?.id]).toEqual(["new", `old-${LONGEST.calls - 2}`]);
  });
});
