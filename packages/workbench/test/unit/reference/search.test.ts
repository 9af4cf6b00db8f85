import { describe, expect, it } from "vitest";
import { publishedDocument } from "../../../reference/demo-documents.ts";
import { apiModel, apiNames } from "../../../reference/page/model.ts";
import type { OpenApi } from "../../../reference/page/openapi.ts";
import { searched, soughtIn } from "../../../reference/page/search.ts";

const all = soughtIn(
  await Promise.all(apiNames.map(async (api) => apiModel(api, JSON.parse(await publishedDocument(api)) as OpenApi))),
);
const found = (text: string) =>
  Object.fromEntries(searched(all, text).map(({ title, links }) => [title, links.map(({ href }) => href)]));

describe("the search of the reference", () => {
  it.each([
    ["Payment Refund", "Operations and webhooks", "#/operations/pos-payment-refund"],
    ["/pos-payments", "Operations and webhooks", "#/operations/pos-payments"],
    ["payment.captured", "Members", "#/operations/webhook-payment/type"],
    ["CAPTUREMODE", "Members", "#/operations/pos-payment-request/captureMode"],
    ["merchantReferences.orderId", "Members", "#/operations/pos-payment-request/merchantReferences.orderId"],
    ["idempotency-key", "Members", "#/operations/pos-payment-refund/Idempotency-Key"],
    ["signature", "Guide", "#/guide/verify-a-webhook"],
    ["vouchers", "Guide", "#/guide/consumer"],
    ["terminal busy", "Problems", "problems#terminal_busy"],
  ])("finds %s in the chapter %s", (text, chapter, href) => {
    expect(found(text)[chapter]).toContain(href);
  });

  it("requires each word, and lists those with the words in their name first", () => {
    expect(found("capture refund zebra")).toEqual({});
    expect(found("capture")["Operations and webhooks"]?.[0]).toBe("#/operations/pos-payment-capture");
  });

  it("lists a member once, although many responses have it", () => {
    const members = found("amounts.captured")["Members"] ?? [];
    expect(members).toHaveLength(new Set(members.map((href) => href.split("/")[3])).size);
  });
});
