import { describe, expect, it } from "vitest";
import * as z from "zod";
import { actionData } from "../../../shared/contracts/fields.ts";
import { paymentRequestBody } from "../../../shared/contracts/requests/payment-request.ts";
import { raisedActionBody } from "../../../shared/contracts/requests/raise-action-request.ts";
import { readThrough } from "../../../shared/edge/http/read-through.ts";

const anAction = { actionRequestID: "00000000-0000-4000-8000-000000000001", actionCode: "gate" };
const errorsOf = (read: ReturnType<typeof readThrough>) => (read.ok ? [] : (read.error.errors ?? []));

describe("the problem of a wrong body", () => {
  it("names no member that the caller invented", () => {
    for (const name of ["invented", "x".repeat(65), "__proto__ ", "a.b"]) {
      const errors = errorsOf(readThrough(raisedActionBody, { ...anAction, data: { [name]: [] } }));
      expect(errors.map(({ field }) => field)).toEqual(["data"]);
      expect(JSON.stringify(errors)).not.toContain(name);
    }
  });

  it("has twenty lines at most", () => {
    const wrong = Array.from({ length: 7_000 }, () => 1);
    expect(errorsOf(readThrough(z.array(z.string()), wrong))).toHaveLength(20);
  });

  it("has one line for all errors within data", () => {
    const data = Object.fromEntries(Array.from({ length: 7_000 }, (_, i) => [`m${i}`, []]));
    expect(errorsOf(readThrough(raisedActionBody, { ...anAction, data }))).toEqual([
      { field: "data", code: "invalid", message: expect.stringContaining("at most 256") },
    ]);
  });

  it.each([
    ["an array", []],
    ["a text", "a"],
    ["a name of 65 characters", { ["x".repeat(65)]: 1 }],
    ["a text of 257 characters", { a: "x".repeat(257) }],
    ["an object within", { a: {} }],
    ["nothing within", { a: undefined }],
  ])("refuses data that the documents refuse: %s", (_, data) => {
    expect(actionData.safeParse(data).success).toBe(false);
    expect(errorsOf(readThrough(raisedActionBody, { ...anAction, data })).map(({ field }) => field)).toEqual(["data"]);
  });

  it("accepts data that the documents accept", () => {
    const data = { ["x".repeat(64)]: "x".repeat(256), n: -0.5, b: false, "": "" };
    expect(actionData.safeParse(data).success).toBe(true);
    expect(readThrough(raisedActionBody, { ...anAction, data })).toMatchObject({ ok: true, value: { data } });
  });

  it("names every member of the schema that is missing or wrong, at every depth", () => {
    const errors = errorsOf(readThrough(paymentRequestBody, { merchantReferences: { orderId: 7 }, currency: "SEK" }));
    const fields = errors.map(({ field }) => field);
    for (const field of ["sessionID", "merchantID", "totalAmountInclVat", "merchantReferences.orderId"])
      expect(fields).toContain(field);
    expect(fields).not.toContain("currency");
  });
});
