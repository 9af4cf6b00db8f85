import { expect, it } from "vitest";
import { fixedKeys, fixedPartner, fixedSecrets } from "../../stack/fixed-keys.ts";
import { peppersOf } from "../../stack/secrets.ts";
import { isKey, parseKey } from "../../../../shared/edge/auth/credentials.ts";

const peppers = peppersOf(fixedSecrets);

it("the demo's keys match their stored hashes, each terminal's key only its own terminal", () => {
  const keys = fixedKeys(peppers);
  const { partnerID, apikey, terminals } = fixedPartner;
  const partner = keys.apiKey(partnerID);
  expect(partner.text).toBe(apikey);
  const presented = parseKey(apikey, "pk");
  expect(presented?.keyId).toBe(partner.keyId);
  const of = { keyId: partner.keyId, partnerId: partnerID };
  expect(isKey(presented?.secret ?? "", partner, peppers, of)).toBe(true);

  for (const { pointOfServiceID, terminalKey } of Object.values(terminals)) {
    const stored = keys.terminalKey({ terminalId: pointOfServiceID, partnerId: partnerID });
    expect(stored.text).toBe(terminalKey);
    const shown = parseKey(terminalKey, "tk");
    expect(shown?.keyId).toBe(pointOfServiceID.replaceAll("-", ""));
    const owner = { keyId: pointOfServiceID, partnerId: partnerID };
    expect(isKey(shown?.secret ?? "", stored, peppers, owner)).toBe(true);
  }
});

it("the demo's webhook secret has the length that signatures need", () => {
  const secret = fixedPartner.webhookSecret.replace("whsec_", "");
  expect(Buffer.from(secret, "base64").toString("base64")).toBe(secret);
  expect(Buffer.from(secret, "base64").length).toBeGreaterThanOrEqual(24);
});
