import { randomUUID } from "node:crypto";
import { expect, inject, it } from "vitest";
import { partnersClient } from "../../clients/partners/client.ts";
import { takePayment } from "../../clients/partners/example.ts";
import { partnerFor } from "../support/partner.ts";

const { partner } = partnerFor("client");
const { baseUrl, demo } = inject("stack");
const { apikey, merchantID } = partner;
const partners = partnersClient({ baseUrl, apikey, subscriptionKey: demo.subscriptionKey });

it("the client's example takes a payment, from the request to the capture", async () => {
  const payment = await takePayment(partners, merchantID, partner.terminals.autopilot.pointOfServiceID, randomUUID());
  expect(payment).toMatchObject({ status: "captured", final: true, amounts: { captured: 125.5 } });
});

it("the client's example prints the code and the text of the reason when a payment fails", async () => {
  await expect(takePayment(partners, merchantID, randomUUID(), randomUUID())).rejects.toThrow(
    "terminal_not_found: There is no such",
  );
});

it("the raw client distinguishes a problem from a success", async () => {
  const { data, problem, response } = await partners.raw("pos-payment", { path: { session_id: randomUUID() } });
  expect(data).toBeUndefined();
  expect(problem).toMatchObject({ code: "payment_not_found", retryable: false });
  expect(response.status).toBe(404);
});
