import { describe, expect, it } from "vitest";
import { merged } from "../../../infra/pages/live/page/merged.ts";
import type { CallView } from "../../../infra/pages/live/views/calls.ts";
import { LONGEST } from "../../../infra/pages/live/views/snapshot.ts";
import { sampleSource } from "../../browser/sample-source.ts";

const before = sampleSource().snapshot();
const [call] = before.calls;
const calls = (...ids: readonly string[]): readonly CallView[] => ids.map((id) => ({ ...(call as CallView), id }));

describe("a change that the page receives", () => {
  it("puts a changed item in its place, and a new one in front", () => {
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

  it("leaves what it does not name as the very same list", () => {
    const after = merged(before, { faults: [] });
    expect(after.payments).toBe(before.payments);
    expect(after.stack).toBe(before.stack);
  });

  it("keeps no more than the longest list, and drops the oldest", () => {
    const full = { ...before, calls: calls(...Array.from({ length: LONGEST.calls }, (_, i) => `old-${i}`)) };
    const { calls: kept } = merged(full, { calls: calls("new") });
    expect(kept).toHaveLength(LONGEST.calls);
    expect([kept[0]?.id, kept.at(-1)?.id]).toEqual(["new", `old-${LONGEST.calls - 2}`]);
  });
});
