import { describe, expect, it } from "vitest";
import { lanePicture } from "../../../live/page/views/payments/lane-layout.ts";
import { lanes, type LaneItem } from "../../../live/views/lanes.ts";
import { sampleLanes } from "../../browser/sample-lanes.ts";

const START = Date.UTC(2026, 10, 21, 9, 30);
const item = (id: string, from: number, ms: number | undefined, more: Partial<LaneItem> = {}): LaneItem => ({
  id,
  lane: "function",
  from: START + from,
  to: ms === undefined ? undefined : START + from + ms,
  title: id,
  hasFailed: false,
  ...more,
});
const of = (status: string, refunded = 0) =>
  sampleLanes({ createdAt: START, status, refunded } as Parameters<typeof sampleLanes>[0]);

describe("the swim-lane picture", () => {
  it("has every lane and every item, and no item covers another or its text", () => {
    for (const items of [of("captured"), of("captured", 2_000), of("inProgress"), of("reconciling")]) {
      const picture = lanePicture(items, START + 900_000, 760);
      expect(picture.lanes.map(({ lane }) => lane)).toEqual(lanes);
      expect(picture.items).toHaveLength(items.length);
      for (const one of picture.items)
        for (const other of picture.items)
          if (one !== other && one.y === other.y && one.x <= other.x)
            expect(one.x + one.width, `${one.item.title} and ${other.item.title}`).toBeLessThanOrEqual(other.x);
      for (const { x, width } of picture.items) expect(x + width).toBeLessThanOrEqual(picture.scale.width);
    }
  });

  it("draws running items until now, and longer a second later", () => {
    const items = [item("request", 0, 40), item("wait", 20, undefined)];
    const widthAt = (now: number) => lanePicture(items, START + now, 400).items[1]?.width ?? 0;
    expect(widthAt(45)).toBeGreaterThan(0);
    expect(lanePicture(items, START + 30_000, 400).scale.cuts.map(({ ms }) => ms)).toEqual([29_960]);
    expect(lanePicture(items, START + 31_000, 400).scale.cuts.map(({ ms }) => ms)).toEqual([30_960]);
  });

  it("draws a line from a cause to its effect, and none from a cause that was left out", () => {
    const items = [
      item("request", 0, 40),
      item("message", 30, 20, { lane: "worker", cause: "request" }),
      item("late", 60, 0, { lane: "terminal", cause: "gone" }),
    ];
    const { causes } = lanePicture(items, START, 400);
    expect(causes.map(({ from, to }) => [from, to])).toEqual([["request", "message"]]);
  });

  it("leaves text out if a lane is full, but no item", () => {
    const items = Array.from({ length: 300 }, (_, i) => item(`a report with a long name ${i}`, i * 3, 2));
    const picture = lanePicture(items, START + 900, 600);
    expect(picture.items).toHaveLength(300);
    expect(picture.items.filter(({ label }) => label).length).toBeLessThan(300);
    expect(picture.height).toBeLessThan(500);
  });
});
