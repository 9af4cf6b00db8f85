import type { AccessTokenTemplate } from "../../../shared/domain/access-token-template.ts";
import { newIssuance, type Issuance } from "../../../shared/domain/issuance.ts";
import { ok } from "../../../shared/domain/result.ts";
import { requestAccessToken, type TokenInput } from "../../../shared/use-cases/vouchers/request-access-token.ts";
import { aCall } from "../../support/calls.ts";
import { instantAt, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Client } from "./client.ts";

/** A customer's token request at a landing page, and the request identifiers in its responses. */
export interface TokenAsk {
  readonly input: TokenInput;
  readonly requestIds: Set<string>;
}

const lived = { validSeconds: 86_400, locale: "sv-SE", timeZone: "Europe/Stockholm", createdAt: instantAt(0) };

/** The token templates of this world. */
export const templates: readonly AccessTokenTemplate[] = [
  { ...lived, templateId: "a voucher", name: "Coffee", kind: "voucher", value: { kind: "percent", percent: 10 } },
  { ...lived, templateId: "a key", name: "Gate", kind: "key" },
];

const limits = { mostADay: 100, mostPerDomain: 20, pages: "requests", users: ["shop"] } as const;

/** The limits of each template. The limit of keys is lower than the demand of some worlds. */
export const issuances: readonly Issuance[] = templates.map(({ templateId, kind }) =>
  newIssuance({ templateId, ...limits, mostInAll: kind === "key" ? 2 : 20 }, instantAt(0)),
);

export const pages = ["page", "gate"] as const;

/** In one of six worlds customers request vouchers and keys: repeatedly, at the same moment, and more often than an hour allows. */
export function startCustomers(world: World, { call, insist }: Client): readonly TokenAsk[] {
  const { agenda, quirks } = world;
  const asks: TokenAsk[] = [];
  if (!quirks.chance(1 / 6)) return asks;
  const others = quirks.pick([], ["Bo.Berg@example.org"]);
  const within = quirks.pick(1, 20, 300) * SECOND;

  async function asking({ input, requestIds }: TokenAsk): Promise<void> {
    await agenda.sleep(quirks.between(0, within));
    const ask = () =>
      call(`${input.email} asks at ${input.landingPageId}`, async (deps) => {
        const requested = await requestAccessToken(deps, aCall(deps), input);
        return requested.ok ? ok(requested.value.request) : requested;
      });
    await insist(
      async () => {
        const answer = await ask();
        if (answer?.ok) requestIds.add(answer.value.requestId);
        return answer;
      },
      { times: quirks.pick(1, 4, 8), pause: () => quirks.between(1, 20) * SECOND },
    );
  }

  for (let more = quirks.pick(2, 4, 10); more > 0; more--) {
    const landingPageId = quirks.pick(...pages);
    const templateId = landingPageId === "gate" || quirks.chance(0.1) ? "a key" : "a voucher";
    const asReceived = { landingPageId, productId: "coffee", templateId };
    const email = quirks.pick("ann@example.com", ...others);
    const input = {
      ...asReceived,
      asReceived,
      user: "shop",
      button: quirks.between(0, 6),
      email: quirks.pick(email, email.toUpperCase()),
    };
    const ask = { input, requestIds: new Set<string>() };
    asks.push(ask);
    void asking(ask);
  }
  return asks;
}
