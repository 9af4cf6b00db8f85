import type { Claim, Terminal } from "../../../shared/domain/terminal.ts";
import type { ApiKey, Partner } from "../../../shared/ports/partners.ts";
import type { Full } from "./full.ts";

export const partner: Full<Partner> = {
  partnerId: "partner-1",
  name: "Kassabolaget",
  webhookUrl: "https://partner.example/events",
  webhookSecrets: [{ secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZg==", createdAt: "2026-11-20T10:00:00.000Z" }],
  disabledAt: "2026-11-21T10:00:00.000Z",
  createdAt: "2026-11-20T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const apiKey: Full<ApiKey> = {
  keyId: "key-1",
  partnerId: "partner-1",
  hash: "hash-1",
  pepperId: "pepper-1",
  scopes: ["payments", "refunds"],
  terminalIds: ["terminal-1"],
  expiresAt: "2027-01-01T00:00:00.000Z",
  revokedAt: "2026-11-21T10:00:00.000Z",
  isDisabled: true,
  createdAt: "2026-11-20T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const terminal: Full<Terminal> = {
  terminalId: "terminal-1",
  idAsReceived: "TERMINAL-1",
  partnerId: "partner-1",
  merchantId: "merchant-1",
  name: "Kassa 3",
  status: "cleaning",
  strictOrders: true,
  keyHash: "hash-1",
  pepperId: "pepper-1",
  formerKey: { keyHash: "hash-0", pepperId: "pepper-0", endsAt: "2026-11-28T10:00:00.000Z" },
  retiredAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const claim: Full<Claim> = { partnerId: "partner-1", sessionId: "session-1", commandId: "command-1" };
