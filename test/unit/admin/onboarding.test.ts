import { describe, expect, it } from "vitest";
import { subscriptionCommands } from "../../../infra/operator/admin/az.ts";
import type { Cloud } from "../../../infra/operator/common/cloud.ts";
import { keyMaker } from "../../../infra/operator/common/platform.ts";
import { perform } from "../../../infra/operator/admin/program.ts";
import { UsageError } from "../../../infra/tools/script.ts";
import { aPartner } from "../../support/a-partner.ts";

const cloud: Cloud = { tables: "AccountName=a", serviceBus: "Endpoint=sb://b/", isLocal: false, around: {} };
const partner = ["--partner", "5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10"];
const terminal = "c7f6a1b2-3d4e-4f50-8a61-7b8c9d0e1f20";

const errorOf = (...words: string[]) =>
  perform(words, { findCloud: async () => cloud, note: () => {} }).then(
    () => undefined,
    (error: unknown) => error,
  );

describe("wrong options of a partner, a key or a terminal", () => {
  const scoped = ["--scopes", "payments"];
  it.each([
    [["partner", "create"], /^Required option '--name <text>' not specified\./],
    [["partner", "create", "--name", "  "], "A partner has a --name of up to 100 characters."],
    [["partner", "create", "--name", "A", "--webhook-url", "http://127.0.0.1/"], /^--webhook-url /],
    [["partner", "create", "--name", "A", "--subscription", "a'b"], /^--subscription is an identifier /],
    [["partner", "show", "A"], "<partnerID> is an identifier: a UUID."],
    [["key", "create", ...partner, "--scopes", "payments,cash"], /^--scopes is one of payments, refunds, /],
    [["key", "create", ...partner], /^Required option '--scopes <scope,…>' not specified\./],
    [["key", "create", ...partner, ...scoped, "--terminals", "till-3"], "--terminals is an identifier: a UUID."],
    [
      ["key", "create", ...partner, ...scoped, "--expires", "tomorrow"],
      "--expires takes a time, such as 2027-01-31T22:59:59Z.",
    ],
    [["key", "create", ...partner, ...scoped, "--expires", "2020-01-01T00:00:00Z"], /^--expires is in the past/],
    [["key", "expire", "0f3a", "--at", "2020-01-01T00:00:00Z"], /^--at is in the past/],
    [["key", "rotate", "pk_0f3a_secret"], /^A keyID is the part of a key between its two underscores/],
    [["key", "rotate", "0f3a", "--keep", "a week"], "--keep takes a duration of up to a year: 30m, 12h, 7d."],
    [["key", "rotate", "0f3a", "--keep", "9000d"], "--keep takes a duration of up to a year: 30m, 12h, 7d."],
    [["terminal", "register", ...partner, "--merchant", "m", "--name", "Till"], "--merchant is an identifier: a UUID."],
    [["terminal", "set", terminal, "--status", "offline"], /^--status is one of available, closed, /],
    [["terminal", "retire"], /^Missing required argument 'pointOfServiceID'\./],
    [["webhook-secret", "rotate"], /^Required option '--partner <partnerID>' not specified\./],
  ])("are refused in one sentence, which quotes no secret: %j", async (words, sentence) => {
    const error = await errorOf(...words);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(sentence);
    expect((error as Error).message).not.toContain("pk_0f3a_secret");
  });
});

it("no key is created if the app's peppers are not known", () => {
  expect(() => keyMaker({ ...cloud, around: { keyVault: "payments-keys" } })).toThrow(
    'export KEY_PEPPERS="$(az keyvault secret show --vault-name payments-keys --name KEY-PEPPERS --query value --output tsv)"',
  );
  expect(() => keyMaker({ ...cloud, peppers: {} })).toThrow("Set KEY_PEPPERS");
});

describe("a partner's subscription", () => {
  const named = aPartner({ partnerId: "p-1", name: `O'Hara "&" $(sons)` });
  const around = { resourceGroup: "rg", apiManagement: "apim" };
  const service =
    "'https://management.azure.com/subscriptions/{subscriptionId}/resourceGroups/rg/providers/Microsoft.ApiManagement/service/apim";

  it("is created by one command, whatever the partner's name, and another command shows its key", () => {
    expect(subscriptionCommands(named, around)).toEqual({
      subscription:
        `az rest --method put --url ${service}/subscriptions/p-1?api-version=2024-05-01' --body ` +
        String.raw`'{"properties":{"displayName":"O'\''Hara \"&\" $(sons)","scope":"/products/partners","state":"active","allowTracing":false}}' --output none`,
      subscriptionKey: `az rest --method post --url ${service}/subscriptions/p-1/listSecrets?api-version=2024-05-01' --query primaryKey --output tsv`,
    });
  });

  it("that was requested in the developer portal is approved, and gets the partner's name", () => {
    expect(subscriptionCommands(named, around, "from-the-portal")).toEqual({
      subscription:
        `az rest --method patch --url ${service}/subscriptions/from-the-portal?api-version=2024-05-01' --headers 'If-Match=*' --body ` +
        `'{"properties":{"displayName":"p-1","state":"active","allowTracing":false}}' --output none`,
      subscriptionKey: expect.stringContaining("/subscriptions/from-the-portal/listSecrets?") as string,
    });
  });

  it("is not looked for if there is no portal", async () => {
    const local = async () => ({ ...cloud, isLocal: true });
    const words = ["partner", "create", "--name", "A", "--subscription", "s"];
    await expect(perform(words, { findCloud: local, note: () => {} })).rejects.toThrow("has no developer portal");
  });
});
