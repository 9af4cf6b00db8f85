import type { AccessTokenTemplate } from "../../shared/domain/access-token-template.ts";
import { newIssuance, type Issuance } from "../../shared/domain/issuance.ts";
import { issueAccessToken } from "../../shared/use-cases/vouchers/issue-access-token.ts";
import { requestAccessToken, type TokenInput } from "../../shared/use-cases/vouchers/request-access-token.ts";
import { aCall } from "./calls.ts";
import type { Platform } from "./platform.ts";

const templateId = "99999999-0000-4000-8000-000000000001";
export const landingPageId = "77777777-0000-4000-8000-000000000001";
const productId = "88888888-0000-4000-8000-000000000001";

/** A template for vouchers of 25 SEK, good for a day. */
export const aTemplate = (more: Partial<AccessTokenTemplate> = {}): AccessTokenTemplate => ({
  templateId,
  name: "A page",
  kind: "voucher",
  value: { kind: "amount", amount: 2_500, currency: "SEK" },
  validSeconds: 86_400,
  locale: "en-SE",
  timeZone: "Europe/Stockholm",
  createdAt: "2026-11-21T09:00:00.000Z",
  ...more,
});

/** Limits that no test reaches, for the template's only user. */
export const anIssuance = (more: Partial<Issuance> = {}): Issuance => ({
  ...newIssuance(
    { templateId, mostADay: 1_000, mostInAll: 10_000, mostPerDomain: 1_000, pages: "requests", users: ["shop"] },
    "2026-11-21T09:00:00.000Z",
  ),
  ...more,
});

export function anAskedToken(more: Partial<Omit<TokenInput, "asReceived">> = {}): TokenInput {
  const input = { landingPageId, productId, templateId, button: 1, email: "anna@example.com", user: "shop", ...more };
  return { ...input, asReceived: input };
}

let customers = 0;

/** A token issued to its own customer, and its code. */
export async function aToken(platform: Platform, template: AccessTokenTemplate = aTemplate()) {
  const { deps } = platform;
  const { templateId: id } = template;
  if (!(await deps.accessTokenTemplates.find(id)))
    await deps.accessTokenTemplates.add(template, anIssuance({ templateId: id }));
  const page = `77777777-0000-4000-8000-${String(++customers).padStart(12, "0")}`;
  const email = `customer.${customers}@example.com`;
  const input = anAskedToken({ landingPageId: page, templateId: template.templateId, email });
  const requested = await requestAccessToken(deps, aCall(deps), input);
  if (!requested.ok) throw new Error(requested.error.code);
  const { request } = requested.value;
  await issueAccessToken(deps, aCall(deps), request);
  const { tokenId } = request;
  return {
    tokenId,
    code: deps.codes.codeOf(tokenId, deps.codes.newCodeOf(tokenId).codeKeyId),
    async now() {
      const stored = await deps.accessTokens.find(tokenId);
      if (!stored) throw new Error("the token is gone");
      return stored.token;
    },
  };
}
