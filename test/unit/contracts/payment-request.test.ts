import { describe, expect, it } from "vitest";
import { fieldProblems } from "../../../shared/edge/http/field-problems.ts";
import { unknownMembers } from "../../../shared/edge/http/unknown-members.ts";
import { posPaymentRequest } from "../../../functions/partners/pos-payment-request.ts";

const { schema, refused } = posPaymentRequest.contract.body;
const body = {
  sessionID: "eeeeeeee-0000-4000-8000-000000000001",
  msgType: "paymentRequest",
  merchantID: "bbbbbbbb-0000-4000-8000-000000000001",
  pointOfServiceID: "cccccccc-0000-4000-8000-000000000001",
  totalAmountInclVat: 125.5,
  currency: "SEK",
};
function read(sent: object) {
  const parsed = schema.safeParse({ ...body, ...sent });
  return parsed.success ? parsed.data.tip : fieldProblems(schema, parsed.error.issues, { ...body, ...sent });
}

describe("a payment request's question for a tip", () => {
  it.each([
    [{}, { percents: [], amounts: [], custom: true, maximumPercent: 30 }],
    [
      { percents: [10, 15], amounts: [20, 0.01], custom: false, maximumPercent: 15 },
      { percents: [10, 15], amounts: [2_000, 1], custom: false, maximumPercent: 15 },
    ],
  ])("is read: %j", (tip, question) => {
    expect(read({ tip })).toEqual(question);
    expect(refused?.({ tip })).toEqual([]);
  });

  it.each([{ tip: 0 }, { tip: false }, { tip: undefined }, {}])("is none: %j", (sent) => {
    expect(read(sent)).toBeUndefined();
    expect(refused?.(sent)).toEqual([]);
  });

  it.each([
    [{ percents: [10, 31] }, "tip.percents.1"],
    [{ percents: [0] }, "tip.percents.0"],
    [{ percents: [12.5] }, "tip.percents.0"],
    [{ percents: [1, 2, 3, 4, 5] }, "tip.percents"],
    [{ amounts: [10, 0] }, "tip.amounts.1"],
    [{ amounts: [1.005] }, "tip.amounts.0"],
    [{ maximumPercent: 101 }, "tip.maximumPercent"],
    [{ custom: false }, "tip"],
    [true, "tip"],
    [10, "tip"],
  ])("that is %j has a problem with %s", (tip, field) => {
    expect(read({ tip })).toMatchObject([{ field }]);
  });

  it("leaves room for the tip", () => {
    const most = { totalAmountInclVat: 7_692_307_692.3, tip: {} };
    expect(read(most)).toMatchObject({ maximumPercent: 30 });
    expect(read({ ...most, totalAmountInclVat: 7_692_307_692.31 })).toMatchObject([
      { field: "tip.maximumPercent", code: "out_of_range" },
    ]);
  });

  it("has no other members, if its caller wants to know", () => {
    const sent = { ...body, tip: { percent: 10 } };
    expect(unknownMembers(schema, sent, JSON.stringify(sent))).toMatchObject([
      { field: "tip", code: "unknown_member" },
    ]);
  });
});
