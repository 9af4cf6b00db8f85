import { randomUUID } from "node:crypto";
import { expect, inject, it } from "vitest";
import { sampleIds } from "../../infra/documents/openapi/samples/sample-ids.ts";
import { requestsIn } from "../support/http-file.ts";
import { read } from "../support/pages.ts";
import { partnerFor } from "../support/partner.ts";

const { partner, until } = partnerFor("pasted requests");
const { demo, baseUrl } = inject("stack");

/** The file's variables with the values of this test's partner. Each object that the requests create gets a new identifier. */
const values: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(sampleIds).map((name) => [name, randomUUID()])),
  baseUrl,
  apikey: partner.apikey,
  subscriptionKey: demo.subscriptionKey,
  basic: demo.consumer.basic,
  functionKey: demo.consumer.functionKeys["landing-page-request"],
  terminalKey: partner.terminals.silent.terminalKey,
  merchantID: partner.merchantID,
  pointOfServiceID: partner.terminals.autopilot.pointOfServiceID,
  productID: demo.consumer.productID,
  templateAccessTokenID: demo.consumer.templateAccessTokenID,
};

/**
 * The status of each request of the file, by its name. After some of them the payment continues by itself, and the next requests wait for
 * that.
 */
async function sent(file: string, waits: Readonly<Record<string, string>> = {}): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const { name, url, method, headers, body } of requestsIn(read(`docs/requests/${file}`), values)) {
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    statuses[name] = response.status;
    const state = waits[name];
    if (state !== undefined) await until(values["sessionID"] ?? "", state);
  }
  return statuses;
}

it("every request to paste works on the running platform, in the order of its file", async () => {
  expect(await sent("terminals.http")).toEqual({
    "Next Message": 204,
    Report: 200,
    "Raise Action Request": 202,
    "Day Totals": 200,
  });
  const waits = { "Payment Request": "captured" };
  expect(await sent("partners.http", waits)).toEqual({
    "Payment Request": 202,
    "Payment Capture": 202,
    "Payment Refund": 202,
    "Read Payment": 200,
    "Read Payment Timeline": 200,
    "Read Payment Receipts": 200,
    "List Payments": 200,
    "Add Discount": 409, // the payment has ended
    "Read Events": 200,
    "Test Webhooks": 200,
    "List Terminals": 200,
    "POS Status": 200,
    "POS Day": 200,
    "Set POS Status": 200,
    "List Settlements": 200,
    "Read Settlement": 200,
    "Read Settlement as a File": 200,
    "Action Request": 200,
    "Action Request Response": 200,
    "Withdraw Refund": 409, // it is made
    "Payment Cancel": 409, // it is captured
  });
  expect(await sent("consumer.http")).toEqual({ "Landing Page Request": 202, "Get Landing Page": 200 });
});
