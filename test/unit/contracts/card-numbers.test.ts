import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { addDiscountBody } from "../../../shared/contracts/requests/add-discount.ts";
import { paymentRefundBody } from "../../../shared/contracts/requests/payment-refund.ts";
import { paymentRequestBody } from "../../../shared/contracts/requests/payment-request.ts";
import { terminalReportBody } from "../../../shared/contracts/requests/terminal-report.ts";
import { raisedActionBody } from "../../../shared/contracts/requests/raise-action-request.ts";

const ids = { sessionID: randomUUID(), merchantID: randomUUID(), pointOfServiceID: randomUUID() };
const payment = { ...ids, msgType: "paymentRequest", totalAmountInclVat: 125.5, currency: "SEK" };
const refund = { ...ids, msgType: "paymentRefund", currency: "SEK", refundAmount: 25 };
const discount = { sessionID: ids.sessionID, discountAmount: 5 };
const numbers = ["4111111111111111", "5555 5555 5555 4444", "3782-822463-10005", "30569309025904", "6212345678901232"];

describe.each([
  ["merchantName", paymentRequestBody, payment],
  ["pointOfServiceName", paymentRequestBody, payment],
  ["refundReason", paymentRefundBody, refund],
  ["reason", addDiscountBody, discount],
] as const)("the free text %s of a partner's request", (member, body, request) => {
  it.each(numbers)("is refused with the card number %s, and with its own name", (number) => {
    const parsed = body.safeParse({ ...request, [member]: `charged ${number} again` });
    expect(parsed.error?.issues).toMatchObject([{ path: [member], message: "must not contain a card number" }]);
  });

  it("is accepted with any other number", () => {
    expect(body.safeParse({ ...request, [member]: "order 4111 of 2026-11-21, 070-123 45 67" }).success).toBe(true);
  });
});

it("the texts of a terminal's action request keep only the last four digits of card numbers, and their members are named", () => {
  const asked = { actionRequestID: randomUUID(), actionCode: "help", description: `card ${numbers[1]}` };
  const data = { typed: `it is ${numbers[0]}`, number: Number(numbers[0]), count: 3, [numbers[3] ?? ""]: true };
  expect(raisedActionBody.parse({ ...asked, data })).toMatchObject({
    description: "card …4444",
    data: { typed: "it is …1111", number: "…1111", count: 3, "…5904": true },
    cardDataIn: ["description", "data"],
  });
  expect(raisedActionBody.parse({ ...asked, description: "help" })).toMatchObject({ cardDataIn: [] });
});

it("names of an action request that are equal once they are stored are refused, so that no datum is lost", () => {
  const asked = { actionRequestID: randomUUID(), actionCode: "help" };
  const parsed = raisedActionBody.safeParse({ ...asked, data: { "gate\u0085": 1, "gate ": 2 } });
  expect(parsed.error?.issues).toMatchObject([{ path: ["data"] }]);
});

it("a terminal's references keep their digits, and its texts keep neither a track nor a security code", () => {
  const ids = { reportID: randomUUID(), sessionID: randomUUID(), chargeID: randomUUID() };
  const report = { ...ids, type: "authorized", amount: 125.5, currency: "SEK", acquirer: { rrn: numbers[0] } };
  expect(terminalReportBody.parse(report)).toMatchObject({ report: { acquirer: report.acquirer }, cardDataIn: [] });
  const told = { detail: "CVC 123", receipt: { customer: ["411111******1111=29122011234567890"] } };
  expect(terminalReportBody.parse({ ...report, ...told })).toMatchObject({
    report: { detail: "CVC …", receipt: { customer: ["411111******1111…"] } },
    cardDataIn: ["detail", "receipt"],
  });
});

it("identifiers and references are accepted whatever their digits", () => {
  const merchantReferences = { orderId: "4111111111111111", paymentId: "5555555555554444" };
  expect(paymentRequestBody.safeParse({ ...payment, merchantReferences }).success).toBe(true);
});
