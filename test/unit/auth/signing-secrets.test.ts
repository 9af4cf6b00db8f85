import { expect, it } from "vitest";
import { signingSecrets } from "../../../shared/edge/auth/signing-secrets.ts";
import {
  resealWebhookSecrets,
  webhookKeyStatus,
} from "../../../shared/use-cases/operator/onboarding/webhook-secrets.ts";
import { aPartner } from "../../support/a-partner.ts";
import { aPlatform } from "../../support/platform.ts";

const older = { older: "an older key for webhook secrets" };
const both = { newer: "a newer key for webhook secrets", ...older };
const at = "2026-11-21T10:00:00.000Z";

it("a webhook secret is stored encrypted, differently each time, and can be decrypted", () => {
  const signing = signingSecrets(older);
  const { text, sealed } = signing.make("partner-1", "secret-1", at);
  expect(text).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(JSON.stringify(sealed)).not.toContain(text.slice(6, 20));
  expect(signing.open("partner-1", sealed)).toBe(text);
  const again = signingSecrets(older, () => text).make("partner-1", "secret-1", at);
  expect(again.sealed.sealed).not.toBe(sealed.sealed);
});

it("a webhook secret cannot be decrypted in another partner's row, under another identifier, changed, cut, or without its key", () => {
  const signing = signingSecrets(older);
  const { sealed } = signing.make("partner-1", "secret-1", at);
  const bytes = Buffer.from(sealed.sealed, "base64");
  const changed = Buffer.from(bytes.map((byte, i) => (i === 20 ? byte ^ 1 : byte)));
  const of = "the webhook secret secret-1 of partner partner-";
  expect(() => signing.open("partner-2", sealed)).toThrow(`${of}2 does not open with the key older`);
  expect(() => signing.open("partner-1", { ...sealed, secretId: "secret-2" })).toThrow("does not open");
  expect(() => signing.open("partner-1", { ...sealed, sealed: changed.toString("base64") })).toThrow("does not open");
  expect(() => signing.open("partner-1", { ...sealed, sealed: bytes.subarray(0, 20).toString("base64") })).toThrow();
  expect(() => signingSecrets({ other: "a key of another name and text" }).open("partner-1", sealed)).toThrow(
    "the settings lack the key older of a webhook secret",
  );
});

it("one command encrypts every webhook secret with the first key, and names the key that is not needed any more", async () => {
  const { deps } = await aPlatform();
  const made = ["p1", "p2"].map((partnerId) => ({ partnerId, ...signingSecrets(older).make(partnerId, "s", at) }));
  for (const { partnerId, sealed } of made)
    await deps.partners.save(aPartner({ partnerId, webhookSecrets: [sealed] }), undefined);
  expect(await webhookKeyStatus(deps, Object.keys(both))).toEqual([
    { sealedBy: "newer", secrets: 0 },
    { sealedBy: "older", secrets: 2 },
  ]);
  const signing = signingSecrets(both);
  expect(await resealWebhookSecrets({ ...deps, signing })).toBe(2);
  expect(await resealWebhookSecrets({ ...deps, signing })).toBe(0);
  expect(await webhookKeyStatus(deps, Object.keys(both))).toEqual([
    { sealedBy: "newer", secrets: 2 },
    { sealedBy: "older", secrets: 0 },
  ]);
  for (const { partnerId, text } of made) {
    const [secret] = (await deps.partners.find(partnerId))?.webhookSecrets ?? [];
    expect(secret && signingSecrets({ newer: both.newer }).open(partnerId, secret)).toBe(text);
  }
});
