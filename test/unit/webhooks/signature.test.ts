import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { signWebhook } from "../../../shared/adapters/webhooks/signature.ts";

const aSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString("base64")}`;
/** The public package refuses timestamps that are some minutes old. */
const timestamp = Math.floor(Date.now() / 1000);
const id = "0b0c4f0e-7a3b-4c1d-9d5e-1f2a3b4c5d6e.3";
const body = JSON.stringify({ type: "payment.authorized", data: { merchantName: "Café Ö ☕" } });

const headers = (signature: string) => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": signature,
});

describe("signWebhook", () => {
  it("signs so that the public Standard Webhooks library accepts it", () => {
    const secret = aSecret();
    const signature = signWebhook({ id, timestamp, body, secrets: [secret] });
    expect(new Webhook(secret).verify(body, headers(signature))).toEqual(JSON.parse(body));
  });

  it("signs with every active secret, so that a receiver with either one accepts it", () => {
    const secrets = [aSecret(24), aSecret(64)];
    const signature = signWebhook({ id, timestamp, body, secrets });
    expect(signature.split(" ")).toHaveLength(2);
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(body, headers(signature))).toEqual(JSON.parse(body));
    }
  });

  it("is refused by a receiver when body, identifier or secret differs", () => {
    const secret = aSecret();
    const signature = signWebhook({ id, timestamp, body, secrets: [secret] });
    const receiver = new Webhook(secret);
    expect(() => receiver.verify(`${body} `, headers(signature))).toThrow("No matching signature");
    expect(() => receiver.verify(body, { ...headers(signature), "webhook-id": "other" })).toThrow("No matching");
    expect(() => new Webhook(aSecret()).verify(body, headers(signature))).toThrow("No matching signature");
  });

  it.each([
    ["without the prefix", randomBytes(32).toString("base64")],
    ["that is not base64", `whsec_${"!".repeat(44)}`],
    ["cut in the middle of a character", aSecret().slice(0, -2)],
    ["that is too short", aSecret(23)],
    ["that is too long", aSecret(65)],
    ["that is empty", "whsec_"],
    ["with a line end", `${aSecret()}\n`],
  ])("throws for a secret %s, and does not repeat it", (_, secret) => {
    const sign = () => signWebhook({ id, timestamp, body, secrets: [aSecret(), secret] });
    expect(sign).toThrow("A webhook signing secret is malformed: it must be whsec_ and the base64 of 24 to 64 bytes.");
  });

  it("throws when there is no secret at all", () => {
    expect(() => signWebhook({ id, timestamp, body, secrets: [] })).toThrow("without a secret");
  });
});
