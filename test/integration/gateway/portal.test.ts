import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { importedApis } from "../../../infra/documents/openapi/imported-apis.ts";
import { documentedResponses } from "../../support/api-documents.ts";
import { startEchoBackend } from "../../../packages/local-azure/common/test/echo-backend.ts";
import { aGateway, partnerHeaders, posting, type RunningGateway } from "./a-gateway.ts";

// The developer portal's console calls from a browser. It sends the values that the imported document names, and some headers of its own.

const portal = "https://apim-payments.developer.azure-api.net";
const withPortal = { "portal-origin": portal };

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}
const operations = importedApis
  .filter(({ name }) => name !== "terminals")
  .flatMap(({ id, name: api, path: prefix }) => {
    const file = new URL(`../../../infra/azure/apim/openapi/${id}.json`, import.meta.url);
    const { paths } = JSON.parse(readFileSync(file, "utf8")) as { paths: Record<string, Record<string, Operation>> };
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { parameters = [] }]) => ({
        api,
        method: method.toUpperCase(),
        path: `${prefix && `/${prefix}`}${path.replaceAll(/\{\w+\}/g, "1")}`,
        headers: [
          ...parameters.filter((one) => one.in === "header").map(({ name }) => name.toLowerCase()),
          ...(api === "partners" ? ["ocp-apim-subscription-key"] : ["authorization"]),
          "cache-control",
          "content-type",
        ],
      })),
    );
  });

const askAhead = (gateway: RunningGateway, origin: string, { path, method, headers }: (typeof operations)[number]) =>
  gateway.ask(path, {
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": method,
      "Access-Control-Request-Headers": headers.join(","),
    },
  });

const listed = (response: Response, name: string) => (response.headers.get(name) ?? "").toLowerCase().split(/, */);

/** The permissions that a browser misses in the response to its preflight request. */
function missing(response: Response, { method, headers }: (typeof operations)[number]): string[] {
  const allowed = listed(response, "access-control-allow-headers");
  return [
    ...(response.status === 200 ? [] : [`status 200 in place of ${response.status}`]),
    ...(response.headers.get("access-control-allow-origin") === portal ? [] : ["the origin"]),
    ...[method.toLowerCase()].filter((one) => !listed(response, "access-control-allow-methods").includes(one)),
    ...headers.filter((one) => !allowed.includes(one)),
  ];
}

describe("the portal's console", () => {
  it("may call every operation that it shows, with every header that it sends", async () => {
    const backend = await startEchoBackend();
    const gateway = await aGateway({ backendUrl: backend.url, namedValues: withPortal });
    expect(operations.length).toBeGreaterThan(10);
    for (const operation of operations) {
      const lacks = missing(await askAhead(gateway, portal, operation), operation);
      expect({ ...operation, lacks }).toEqual({ ...operation, lacks: [] });
    }
    expect(backend.seen).toEqual([]);
  });

  it("may not call from another origin, nor if there is no portal", async () => {
    const backendUrl = (await startEchoBackend()).url;
    const open = await aGateway({ backendUrl, namedValues: withPortal });
    const closed = await aGateway({ backendUrl });
    for (const operation of operations)
      for (const [gateway, origin] of [
        [open, "https://elsewhere.example"],
        [open, `${portal}.elsewhere.example`],
        [closed, portal],
      ] as const) {
        const response = await askAhead(gateway, origin, operation);
        expect(response.headers.get("access-control-allow-origin")).toBeNull();
      }
  });

  it("needs the apikey as well, and reads responses, refusals and documented headers", async () => {
    const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url, namedValues: withPortal });
    const { apikey, ...subscribed } = partnerHeaders;
    const ask = (headers: Record<string, string>) =>
      gateway.ask("/pos-payment-request", posting({}, { ...headers, Origin: portal }));
    const answered = await ask({ ...subscribed, apikey });
    const refused = await ask(subscribed);
    expect([answered.status, refused.status]).toEqual([200, 401]);
    for (const { headers } of [answered, refused]) expect(headers.get("access-control-allow-origin")).toBe(portal);
    const documented = documentedResponses.filter(({ api }) => api === "partners").flatMap(({ headers }) => headers);
    const readable = [...listed(answered, "access-control-expose-headers"), "cache-control"]; // needs no permission
    expect(readable).toEqual(expect.arrayContaining(documented.map((name) => name.toLowerCase())));
  });
});
