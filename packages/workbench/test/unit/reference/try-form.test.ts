import { describe, expect, it } from "vitest";
import { filledAnew, objectIn, valueAt, valueOf, withValue } from "../../../reference/page/try/body.ts";

describe("the form of a body", () => {
  const body = { sessionID: "s1", merchantReferences: { orderId: "o1", paymentId: "p1" } };

  it("reads and writes members by their paths, and leaves the rest and its order unchanged", () => {
    expect(valueAt(body, "merchantReferences.orderId")).toBe("o1");
    expect(valueAt(body, "sessionID.length")).toBeUndefined();
    expect(valueAt(body, "constructor")).toBeUndefined();
    const changed = withValue(body, "merchantReferences.orderId", "o2");
    expect(JSON.stringify(changed)).toBe('{"sessionID":"s1","merchantReferences":{"orderId":"o2","paymentId":"p1"}}');
    expect(withValue(body, "a.b", 1)).toEqual({ ...body, a: { b: 1 } });
    const without = withValue(
      withValue(body, "merchantReferences.orderId", undefined),
      "merchantReferences.paymentId",
      undefined,
    );
    expect(without).toEqual({ sessionID: "s1" });
  });

  it("converts typed text to the member's kind of value, and sends invalid values as text", () => {
    expect(valueOf({ kind: "number" }, "12,50")).toBe(12.5);
    expect(valueOf({ kind: "number" }, "a lot")).toBe("a lot");
    expect(valueOf({ kind: "boolean" }, "true")).toBe(true);
    expect(valueOf({ kind: "json" }, '{"gate": 2}')).toEqual({ gate: 2 });
    expect(valueOf({ kind: "text" }, "12")).toBe("12");
  });

  it("is for objects only", () => {
    expect([objectIn("{}"), objectIn("[]"), objectIn("null"), objectIn("{")]).toEqual([
      {},
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("a refilled body", () => {
  const example = (session: string, order: string) =>
    JSON.stringify({ sessionID: session, amount: 125.5, references: { orderId: order } });

  it("gets fresh identifiers, and keeps the user's edits", () => {
    const mine = JSON.stringify({
      sessionID: "s1",
      amount: 99,
      references: { orderId: "mine" },
      captureMode: "automatic",
    });
    expect(JSON.parse(filledAnew(mine, example("s1", "o1"), example("s2", "o2")))).toEqual({
      sessionID: "s2",
      amount: 99,
      references: { orderId: "mine" },
      captureMode: "automatic",
    });
  });

  it("is new, with members that the previous one lacked, if the user edited nothing", () => {
    expect(filledAnew('{"type":"started"}', '{"type":"started"}', '{"type":"failed","sessionID":"s2"}')).toBe(
      '{"type":"failed","sessionID":"s2"}',
    );
  });

  it("does not restore members that the user left out, and stays unchanged if it is not JSON", () => {
    expect(JSON.parse(filledAnew('{"sessionID":"s1"}', example("s1", "o1"), example("s2", "o2")))).toEqual({
      sessionID: "s2",
    });
    expect(filledAnew("{ broken", example("s1", "o1"), example("s2", "o2"))).toBe("{ broken");
  });
});
