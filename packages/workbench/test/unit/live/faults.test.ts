import { describe, expect, it } from "vitest";
import { doneMeanwhile, kindsOf, kindText, presets, serviceOf } from "../../../live/page/views/faults/kinds.ts";
import { waitText } from "../../../live/page/waits.ts";
import { faultInput } from "../../../live/request-bodies.ts";
import { unknownFault } from "../../../../local-azure/faults/board.ts";
import { faultInput as faultOfStack } from "../../../../local-azure/faults/rule.ts";

const targetOf = (service: "tables" | "queues") =>
  service === "tables" ? ({ tables: "all" } as const) : ({ queues: "all" } as const);

describe("the faults that the page offers", () => {
  const offered = (["tables", "queues"] as const).flatMap((service) =>
    kindsOf(service).map(([kind]) => [service, kind] as const),
  );

  it.each(offered)("can be put on the %s: %s", (service, kind) => {
    const input = { kind, seconds: 10, ...(kind === "slow" && { milliseconds: 700 }) };
    expect(faultInput.safeParse({ service, ...input }).success).toBe(true);
    expect(unknownFault(targetOf(service), faultOfStack.parse(input))).toBeUndefined();
  });

  it.each(presets)("can be started with one click: $title", ({ input }) => {
    expect(faultInput.safeParse(input).success).toBe(true);
  });

  it("are described by service and kind", () => {
    const fault = { target: "queue mails", kind: "slow", milliseconds: 700 };
    expect(serviceOf(fault)).toBe("queues");
    expect(serviceOf({ target: "table Payments" })).toBe("tables");
    expect(kindText(fault)).toBe("every response 700 ms later");
    expect(kindText({ kind: "away" })).toBe("connections are cut");
  });

  it("are explained once each", () => {
    const away = { target: "all tables", kind: "away" };
    expect(doneMeanwhile([])).toHaveLength(1);
    expect(doneMeanwhile([away, { ...away, target: "table Payments" }])).toHaveLength(1);
    expect(doneMeanwhile([away, { target: "all queues", kind: "silent" }])).toHaveLength(2);
  });
});

it.each([
  [0, "0 s"],
  [59, "59 s"],
  [60, "1 min"],
  [245, "4 min 5 s"],
  [3_600, "1 h"],
  [7_800, "2 h 10 min"],
])("a wait of %d seconds is written as %s", (seconds, text) => {
  expect(waitText(seconds)).toBe(text);
});
