import { describe, expect, it } from "vitest";
import * as z from "zod";
import { unsupportedMoney } from "../../../shared/contracts/requests/unsupported-money.ts";
import { prefersStrict } from "../../../shared/edge/http/preferences.ts";
import { queryProblems } from "../../../shared/edge/http/read-query.ts";
import { unknownMembers } from "../../../shared/edge/http/unknown-members.ts";

// A caller that sends something on purpose is obeyed or refused.

describe("a query", () => {
  const problemsOf = (query: string) =>
    queryProblems(new URLSearchParams(query), ["orderId", "status"]).map(({ field, code }) => `${field} ${code}`);

  it.each([
    ["", []],
    ["orderId=1&status=captured", []],
    ["orderID=1", ["orderId unknown_parameter"]],
    ["order_id=1", ["orderId unknown_parameter"]],
    ["order-ids[]=1", ["orderId unknown_parameter"]],
    ["Status=captured", ["status unknown_parameter"]],
    ["constructor=1", ["(query) unknown_parameter"]],
    ["=1", ["(query) unknown_parameter"]],
    ["orderId=", ["orderId required"]],
    ["orderId", ["orderId required"]],
    ["orderId=1&orderId=1", ["orderId repeated"]],
    ["orderId=&orderId=", ["orderId repeated"]],
    ["orderId=%20", []],
  ])("?%s has the problems %j", (query, problems) => {
    expect(problemsOf(query)).toEqual(problems);
  });
});

describe("a member that asks for more money", () => {
  it.each([
    ["tip", 10, "tip"],
    ["tip_amount", 10, "tipAmount"],
    ["TipAmount", "10.00", "tipAmount"],
    ["cashback-amount", { value: 10 }, "cashBackAmount"],
    ["Gratuity", 1, "gratuity"],
    ["request_incremental_authorization", true, "requestIncrementalAuthorization"],
    ["incremental_authorisation", "if_available", "incrementalAuthorization"],
    ["AcceptPartialAuthorization", true, "acceptPartialAuthorization"],
    ["serviceCharges", [{ amount: 1 }], "serviceCharges"],
    ["donation", -1, "donation"],
  ])("%s is refused as %j", (name, value, field) => {
    expect(unsupportedMoney({ [name]: value })).toMatchObject([{ field, code: "not_supported" }]);
  });

  it.each([0, -0, false, null, undefined])("is no wish if it is %j", (value) => {
    expect(unsupportedMoney({ tip: value, cashBackAmount: value })).toEqual([]);
  });

  it("is taken where the operation takes it, in its own spelling", () => {
    expect(unsupportedMoney({ tip: {} }, ["tip"])).toEqual([]);
    expect(unsupportedMoney({ Tip: {}, tip_amount: 1 }, ["tip"])).toMatchObject([
      { field: "tip" },
      { field: "tipAmount" },
    ]);
  });

  it("is not confused with others", () => {
    const others = { lineItems: [{ tip: 1 }], metadata: {}, tipster: 1, vat: 1, amount: 1, totalAmountInclVat: 1 };
    expect(unsupportedMoney(others)).toEqual([]);
    expect(unsupportedMoney([{ tip: 1 }])).toEqual([]);
    expect(unsupportedMoney("tip")).toEqual([]);
  });
});

describe("a preference", () => {
  it.each([
    ["handling=strict", true],
    ["Handling = Strict", true],
    ['handling="strict"', true],
    ["respond-async, wait=10, handling=strict; why=tests", true],
    ["handling=lenient, handling=strict", false],
    ["handling=lenient", false],
    ['note=",handling=strict,"', false],
    ["strict", false],
    ["", false],
    [null, false],
  ])("%j asks for strict handling: %s", (header, isStrict) => {
    expect(prefersStrict(header)).toBe(isStrict);
  });
});

describe("an unknown member", () => {
  const schema = z
    .object({
      known: z.number().optional(),
      of: z.object({ known: z.number().optional() }).optional(),
      data: z.record(z.string(), z.unknown()).optional(),
      lines: z.array(z.object({ known: z.number().optional() })).optional(),
    })
    .superRefine(() => {})
    .transform((body) => body);
  const problemsOf = (text: string) =>
    unknownMembers(schema, JSON.parse(text), text).map(({ field, message }) => `${field} ${message}`);

  it("is found in every object that the schema describes, with the place of the first", () => {
    expect(problemsOf('{"known":1,"of":{"known":1},"data":{"any":{}},"lines":[{"known":1}]}')).toEqual([]);
    expect(problemsOf('{"known":1,\r\n "7":1, "constructor":2}')).toEqual([
      "(body) has 2 members that are not known to the operation, the first at line 2, column 2",
    ]);
    expect(problemsOf('{"of":{"😀":1},\n"lines":[{},{"known":1,"x":{"y":1}}]}')).toEqual([
      "of has a member that is not known to the operation, the first at line 1, column 8",
      "lines.1 has a member that is not known to the operation, the first at line 2, column 24",
    ]);
    expect(problemsOf("[1]")).toEqual([]);
  });
});
