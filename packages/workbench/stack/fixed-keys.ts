import { API_KEY_PREFIX, TERMINAL_KEY_PREFIX } from "../../../shared/edge/auth/authenticate.ts";
import { hashKey, type KeyOwner, type Peppers } from "../../../shared/edge/auth/credentials.ts";
import { DEMO_PASSWORD, DEMO_SECRET_PREFIX } from "../../../shared/edge/settings/demo-secrets.ts";
import type { NewKeys } from "../../../shared/use-cases/operator/onboarding/new-keys.ts";
import type { ConsumerSecrets } from "./consumer.ts";
import type { Secrets } from "./secrets.ts";
import type { DemoPartner } from "../../../infra/operator/common/seed.ts";

// The demo of `npm start` has the same identifiers and keys at each start. So a partner's server, its settings and a pasted `curl` survive
// a restart. They are public, and say so. The app accepts this pepper and code key only if its tables and its Service Bus are on this
// machine. Without the pepper, the demo's keys open nothing.

const id = (n: number): string => `de300000-0000-4000-8000-00000000000${n}`;
const publicSecret = (what: string): string => `${DEMO_SECRET_PREFIX}${what}-of-npm-start`;

export const fixedSecrets: Secrets = {
  pepper: publicSecret("pepper-of-keys"),
  webhookSecretKey: publicSecret("key-for-webhook-secrets"),
  masterKey: publicSecret("master-key"),
  functionsKeys: { partners: publicSecret("partners-key"), terminals: publicSecret("terminals-key") },
  healthKey: publicSecret("health-key"),
  subscriptionKey: publicSecret("subscription-key"),
  secondarySubscriptionKey: publicSecret("secondary-subscription-key"),
};

export const fixedConsumer: ConsumerSecrets = {
  password: DEMO_PASSWORD,
  functionKey: publicSecret("consumer-key"),
  codeKey: publicSecret("key-for-voucher-codes"),
  productID: id(6),
  templateAccessTokenID: id(7),
  keyTemplateAccessTokenID: id(8),
};

/** The demo's landing page, which its first request creates. */
export const landingPageID = id(9);

const KEY_ID = "demo-only";
const terminalKey = (terminalId: string): string =>
  `${TERMINAL_KEY_PREFIX}_${terminalId.replaceAll("-", "")}_${publicSecret("terminal")}`;
const terminal = (n: number) => ({ pointOfServiceID: id(n), terminalKey: terminalKey(id(n)) });

export const fixedPartner: Required<DemoPartner> = {
  partnerID: id(1),
  apikey: `${API_KEY_PREFIX}_${KEY_ID}_${publicSecret("partner")}`,
  webhookSecret: "whsec_DemoOnlyWebhookSecretOfNpmStart/////////////", // 32 bytes at least, in base64
  merchantID: id(2),
  terminals: { autopilot: terminal(3), silent: terminal(4), counter: terminal(5) },
};

/** The fixed keys, instead of random ones. */
export function fixedKeys(peppers: Peppers): NewKeys {
  const [[pepperId, pepper] = ["", ""]] = Object.entries(peppers);
  const hashed = (text: string, owner: KeyOwner) => ({
    text,
    hash: hashKey(text.split("_")[2] ?? "", pepper, owner),
    pepperId,
  });
  return {
    apiKey: (partnerId) => ({ keyId: KEY_ID, ...hashed(fixedPartner.apikey, { keyId: KEY_ID, partnerId }) }),
    terminalKey: ({ terminalId, partnerId }) => hashed(terminalKey(terminalId), { keyId: terminalId, partnerId }),
  };
}
