import type { ApiKey, Partner } from "../../shared/stores/partners.ts";

const at = "2026-11-21T09:00:00.000Z";

/** A partner without webhooks and secrets. */
export const aPartner = (more: Partial<Partner> & Pick<Partner, "partnerId">): Partner => ({
  name: "A partner",
  webhookSecrets: [],
  createdAt: at,
  updatedAt: at,
  ...more,
});

/** A key for payments of the partner. */
export const anApiKey = (more: Partial<ApiKey> & Pick<ApiKey, "partnerId">): ApiKey => ({
  keyId: "k1",
  hash: "",
  pepperId: "p",
  scopes: ["payments"],
  createdAt: at,
  updatedAt: at,
  ...more,
});
