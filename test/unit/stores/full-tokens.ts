import type { AccessTokenTemplate, TokenValue } from "../../../shared/domain/access-token-template.ts";
import type { AccessToken } from "../../../shared/domain/access-token.ts";
import type { ActionRequest } from "../../../shared/domain/action-request.ts";
import type { Issuance, IssuanceShard } from "../../../shared/domain/issuance.ts";
import type { IssuedToken } from "../../../shared/domain/token-limits.ts";
import type { LandingPage, TokenRequest } from "../../../shared/domain/landing-page.ts";
import type { MailTexts } from "../../../shared/domain/mail-brand.ts";
import type { TemplateLook } from "../../../shared/domain/template-look.ts";
import type { MailTrouble } from "../../../shared/domain/mail-trouble.ts";
import type { CodeKeyDay, CodeKeyExtension } from "../../../shared/stores/code-key-days.ts";
import type { Full } from "./full.ts";

const values: { readonly [Kind in TokenValue["kind"]]: Full<Extract<TokenValue, { readonly kind: Kind }>> } = {
  amount: { kind: "amount", amount: 5_000, currency: "SEK" },
  percent: { kind: "percent", percent: 12.5 },
};

/** A template for each kind of value. */
export const templates = Object.values(values).map((value): Full<AccessTokenTemplate> => ({
  templateId: "template-1",
  name: "Välkomsterbjudande",
  kind: "voucher",
  value,
  merchantId: "merchant-1",
  validSeconds: 2_592_000,
  locale: "sv-SE",
  timeZone: "Europe/Stockholm",
  endsAt: "2027-01-01T00:00:00.000Z",
  createdAt: "2026-11-01T00:00:00.000Z",
}));

/** A token for each kind of value. */
export const tokens = Object.values(values).map((value): Full<AccessToken> => ({
  tokenId: "token-1",
  kind: "voucher",
  value,
  merchantId: "merchant-1",
  productId: "PRODUCT-1",
  landingPageId: "PAGE-1",
  templateId: "template-1",
  codeKeyId: "code-key-1",
  codeHash: "code-hash-1",
  status: "reserved",
  use: { partnerId: "partner-1", terminalId: "terminal-1", sessionId: "session-1", discountId: "discount-1" },
  validUntil: "2026-12-21T10:00:00.000Z",
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:01.000Z",
}));

export const landingPage: Full<LandingPage> = {
  landingPageId: "page-1",
  productId: "product-1",
  templateId: "template-1",
  asReceived: { landingPageId: "PAGE-1", productId: "PRODUCT-1", templateId: "TEMPLATE-1" },
  name: "Välkomsterbjudande",
  status: "disabled",
  endsAt: "2027-01-01T00:00:00.000Z",
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:01.000Z",
};

export const tokenRequest: Full<TokenRequest> = {
  requestId: "request-1",
  landingPageId: "page-1",
  button: 2,
  email: "anna@example.com",
  maskedEmail: "a***@e***.com",
  locale: "sv-SE",
  addressKey: "address-1",
  otherAddressKeys: ["address-2"],
  countKeys: ["count-1"],
  tokenId: "token-1",
  status: "emailFailed",
  statusReason: "addressRefused",
  sequence: 3,
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:01.000Z",
};

const text = "A text";
const mailTexts: Full<MailTexts> = {
  headline: text,
  value: text,
  subject: text,
  code: text,
  qr: text,
  validFrom: text,
  validUntil: text,
  howToUseTitle: text,
  whereTitle: text,
  termsTitle: text,
  helpTitle: text,
  notRequestedTitle: text,
  howToUse: text,
  where: text,
  terms: text,
  help: text,
  notRequested: text,
};

export const templateLook: Full<TemplateLook> = {
  templateId: "template-1",
  brand: {
    name: "Kaffebaren",
    colour: "#1c4a3d",
    logo: { png: "iVBORw0KGgoAAAAA", width: 100, height: 40 },
    senderName: "Kaffebaren",
  },
  texts: { sv: mailTexts },
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const mailTrouble: Full<MailTrouble> = {
  templateId: "template-1",
  failed: [{ requestId: "request-1", at: "2026-11-21T10:00:00.000Z" }],
  alertedAt: "2026-11-21T10:00:00.000Z",
};

export const issuedToken: Full<IssuedToken> = { tokenId: "token-1", at: "2026-11-21T10:00:00.000Z" };

export const issuance: Full<Issuance> = {
  templateId: "template-1",
  status: "stopped",
  mostADay: 1_000,
  mostInAll: 20_000,
  mostPerDomain: 20,
  pages: "operators",
  users: ["shop"],
  reached: { limit: "day", on: "2026-11-21" },
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const issuanceShard: Full<IssuanceShard> = {
  shard: 7,
  day: "2026-11-21",
  takenOfDay: 1,
  mostOfDay: 125,
  mostADay: 125,
  taken: 2,
  mostInAll: 2_500,
  latest: ["request-1"],
};

export const codeKeyDay: Full<CodeKeyDay> = { codeKeyId: "code-key-1", day: "2026-11-21" };

export const codeKeyExtension: Full<CodeKeyExtension> = { codeKeyId: "code-key-1", until: "2027-11-21" };

export const actionRequest: Full<ActionRequest> = {
  actionRequestId: "action-1",
  partnerId: "partner-1",
  terminalId: "terminal-1",
  asReceived: { actionRequestId: "ACTION-1", terminalId: "TERMINAL-1" },
  sessionId: "SESSION-1",
  actionCode: "openGate",
  description: "Gate 7",
  data: { gate: "7", attempts: 2.5, isMember: true },
  webhookUrl: "https://partner.example/actions",
  token: {
    tokenId: "token-1",
    kind: "key",
    productId: "PRODUCT-1",
    validUntil: "2026-12-21T10:00:00.000Z",
    status: "expired",
    statusText: "This key expired on 21 December 2026.",
  },
  tokenProblem: "codeUnknown",
  status: "accepted",
  respondedAt: "2026-11-21T10:00:20.000Z",
  readBy: ["key-1"],
  sequence: 2,
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:20.000Z",
  expiresAt: "2026-11-21T10:02:00.000Z",
};
