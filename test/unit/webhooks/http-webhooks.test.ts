import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { httpWebhooks } from "../../../shared/adapters/webhooks/http-webhooks.ts";
import { answering } from "./a-sender.ts";

it("sends headers and a body that the public Standard Webhooks library accepts, with each active secret", async () => {
  const partner = await answering(204);
  const secrets = [32, 24].map((bytes) => `whsec_${randomBytes(bytes).toString("base64")}`);
  const body = JSON.stringify({ type: "payment.authorized", data: { merchantName: "Café Ö ☕" } });
  const sent = await httpWebhooks({ allowLoopback: true, random: () => 0 }).send({
    partnerId: "a partner",
    url: partner.url,
    id: "evt_1",
    at: new Date().toISOString(), // the library refuses timestamps that are some minutes old
    body,
    secrets,
  });
  expect(sent).toMatchObject({ kind: "delivered" });
  expect(partner.received).toHaveLength(1);
  for (const { body, headers } of partner.received)
    for (const secret of secrets)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
});
