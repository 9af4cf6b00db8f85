import type { SelfDescription } from "../../../shared/domain/device.ts";
import type { Claim, Terminal } from "../../../shared/domain/terminal.ts";
import type { OperatorAction } from "../../../shared/stores/operator-actions.ts";
import type { ApiKey, Partner } from "../../../shared/stores/partners.ts";
import type { Full } from "./full.ts";

export const partner: Full<Partner> = {
  partnerId: "partner-1",
  name: "Kassabolaget",
  webhookUrl: "https://partner.example/events",
  webhookHosts: [
    { host: "partner.example", url: "https://partner.example/events", provenAt: "2026-11-01T10:00:00.000Z" },
  ],
  webhookSecrets: [{ secretId: "secret-1", sealedBy: "key-1", sealed: "AAAA", createdAt: "2026-11-20T10:00:00.000Z" }],
  disabledAt: "2026-11-21T10:00:00.000Z",
  createdAt: "2026-11-20T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const operatorAction: Full<OperatorAction> = {
  actionId: "action-1",
  at: "2026-11-21T10:00:00.000Z",
  by: "ada on console-1, identity 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21",
  command: "key rotate",
  about: { keyID: "key-1", "new keyID": "key-2" },
  outcome: "done",
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
  merchantName: "Kaffebaren",
  name: "Kassa 3",
  status: "cleaning",
  strictOrders: true,
  keyHash: "hash-1",
  pepperId: "pepper-1",
  formerKey: { keyHash: "hash-0", pepperId: "pepper-0", endsAt: "2026-11-28T10:00:00.000Z" },
  retiredAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const selfDescription: Full<SelfDescription> = {
  device: { maker: "Alpenpos", model: "K9", serialNumber: "SN-1", softwareVersion: "4.2.0", network: "wifi" },
  can: ["tips"],
};

export const claim: Full<Claim> = { holder: { sessionId: "session-1", asReceived: "SESSION-1" } };
