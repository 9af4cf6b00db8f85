import { describe, expect, it } from "vitest";
import { paymentRequestBody } from "../../../shared/contracts/requests/payment-request.ts";
import { raisedActionBody } from "../../../shared/contracts/requests/raise-action-request.ts";
import { readThrough } from "../../../shared/http/read-through.ts";

const anAction = { actionRequestID: "00000000-0000-4000-8000-000000000001", actionCode: "gate" };
const errorsOf = (read: ReturnType<typeof readThrough>) => (read.ok ? [] : (read.error.errors ?? []));

describe("what a caller is told of a wrong body", () => {
  it("names no member that the caller invented", () => {
    for (const name of ["invented", "x".repeat(65), "__proto__ ", "a.b"]) {
      const errors = errorsOf(readThrough(raisedActionBody, { ...anAction, data: { [name]: [] } }));
      expect(errors.map(({ field }) => field)).toEqual(["data"]);
      expect(JSON.stringify(errors)).not.toContain(name);
    }
  });

  it("has twenty lines at most", () => {
    const data = Object.fromEntries(Array.from({ length: 7_000 }, (_, i) => [`m${i}`, []]));
    expect(errorsOf(readThrough(raisedActionBody, { ...anAction, data }))).toHaveLength(20);
  });

  it("names every member of the schema that is missing or wrong, within and without", () => {
    const errors = errorsOf(readThrough(paymentRequestBody, { merchantReferences: { orderId: 7 }, currency: "SEK" }));
    const fields = errors.map(({ field }) => field);
    for (const field of ["sessionID", "merchantID", "totalAmountInclVat", "merchantReferences.orderId"])
      expect(fields).toContain(field);
    expect(fields).not.toContain("currency");
  });
});
