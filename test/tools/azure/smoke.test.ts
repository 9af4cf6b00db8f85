import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { checksOf, findings } from "../../../infra/azure/hooks/smoke-checks.ts";
import { knownOf } from "../../../infra/azure/hooks/smoke.ts";
import type { Azure } from "../../../infra/azure/hooks/azure.ts";
import { listening } from "../../support/listening.ts";

/** What a gateway responds to everything. */
interface Response {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const problem = (status: number, code: string): Response => ({
  status,
  type: "application/problem+json",
  body: JSON.stringify({ code, status }),
});

/** What the smoke test says of a gateway that responds so to every request, by what it asks. */
async function saidOf({ status, type, body }: Response): Promise<Map<string, string>> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": type, "x-request-id": "r" }).end(body);
  });
  const { checks } = checksOf({ gatewayUrl: `http://127.0.0.1:${await listening(server)}` });
  return new Map((await findings(checks)).map(({ check, wrong }) => [check.what, wrong]));
}

const report = "POST /terminals/report with an unknown terminal key";

describe("the smoke test says of a deployment", () => {
  it.each([
    [
      "of which no function is indexed",
      { status: 404, type: "text/html", body: "<html>" },
      "got 404, not in the platform's form, expected 401 invalid_credentials: the gateway has no such operation",
    ],
    [
      "whose keys differ",
      problem(503, "dependency_unavailable"),
      "got 503 dependency_unavailable, expected 401 invalid_credentials: the app does not respond",
    ],
    ["that fails", problem(500, "internal_error"), "got 500 internal_error, expected 401"],
    [
      "whose host refuses unshaped",
      { status: 401, type: "text/plain", body: "" },
      "got 401, not in the platform's form, expected 401 invalid_credentials: a response of the Functions host",
    ],
    [
      "that lets everyone in",
      { status: 200, type: "application/json", body: "{}" },
      "got 200, not in the platform's form, expected 401",
    ],
    ["that counts too strictly", problem(429, "rate_limited"), "got 429 rate_limited, expected 401"],
  ])("%s what is wrong", async (_, response, sentence) => {
    expect((await saidOf(response)).get(report)).toContain(sentence);
  });

  it("that refuses everything alike that it is not well", async () => {
    const said = await saidOf(problem(401, "invalid_credentials"));
    expect([...said.keys()]).toEqual([
      "GET /probes/health",
      "GET /outside that no API has",
      "POST /terminals/report with a body above 64 KiB",
      "POST /terminals/report with a body that is no JSON",
    ]);
  });

  it("that does not respond that it does not, in each check", async () => {
    const { checks } = checksOf({ gatewayUrl: "http://127.0.0.1:9" });
    const wrong = await findings(checks);
    expect(wrong).toHaveLength(checks.length);
    expect(wrong.every((one) => one.wrong.startsWith("no response: "))).toBe(true);
  });
});

const variables = {
  gatewayUrl: "https://gateway.example/",
  AZURE_SUBSCRIPTION_ID: "sub",
  AZURE_RESOURCE_GROUP: "rg",
  apiManagement: "apim",
  keyVault: "kv-app",
  keysVault: "kv-keys",
};

it("what this machine may not read is left out, and said", async () => {
  const closed: Azure = { send: async () => ({ status: 403, body: undefined }), az: async () => {} };
  const known = await knownOf(closed, variables);
  expect(known).toEqual({ gatewayUrl: "https://gateway.example" });
  expect(checksOf(known).leftOut).toHaveLength(4);
});

it("what it may read lets every check be made", async () => {
  const values: Readonly<Record<string, string>> = {
    "CONSUMER-CREDENTIALS": JSON.stringify({ kiosk: "x", "web-first": "y" }),
    "CONSUMER-PASSWORD-web-first": "password",
    "function--landing-045page-045request--consumer": "key",
  };
  const open: Azure = {
    async send({ url }) {
      if (url.includes("listSecrets")) return { status: 200, body: { primaryKey: "subscription" } };
      return { status: 200, body: { value: values[/secrets\/([\w-]+)\?/.exec(url)?.[1] ?? ""] } };
    },
    az: async () => {},
  };
  const known = await knownOf(open, { ...variables, CONSUMER_WEB_ORIGIN: "https://shop.example" });
  expect(known).toMatchObject({
    subscriptionKey: "subscription",
    consumerKey: "key",
    consumer: { user: "web-first", password: "password" },
  });
  expect(checksOf(known).leftOut).toEqual([]);
});
