import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { consumerClient, type ClientOptions } from "../../../clients/consumer/client.ts";
import { NoResponse, PlatformProblem } from "../../../clients/consumer/failures.ts";
import { read } from "../../support/pages.ts";
import { broken, json, problem, type SentRequest } from "./a-client.ts";

const secrets = { user: "web-shop", password: "secret-lösen", functionKey: "secret-key" };
const request = {
  landingPageID: "1c2d3e4f-5061-4273-9485-b6c7d8e9fa0b",
  productID: "2d3e4f50-6172-4384-8596-c7d8e9fa0b0c",
  templateAccessTokenID: "3e4f5061-7283-4495-96a7-d8e9fa0b1c0d",
  button: 1,
  email: "anna@example.com",
};
const { landingPageID } = request;

/** A client in front of a platform that gives these responses, and repeats the last one. Only its pauses move its clock. */
function aClient(responses: readonly (() => Response)[]) {
  let now = Date.parse("2026-11-23T10:00:00Z");
  const sent: SentRequest[] = [];
  const client = consumerClient({
    baseUrl: "https://gateway.example.com/",
    ...secrets,
    world: {
      fetch: async (url, { method = "GET", headers, body, redirect }) => {
        const respond = responses[Math.min(sent.length, responses.length - 1)];
        sent.push({
          method,
          url,
          headers: new Headers(headers),
          body: typeof body === "string" ? body : "",
          redirect,
        });
        return respond?.() ?? broken();
      },
      now: () => now,
      sleep: async (ms) => void (now += ms),
      random: () => 0.5,
    },
  });
  return { client, sent };
}

const received = () => json(202, { requestID: landingPageID, status: "received" });

describe("the consumer's client", () => {
  it("has a method for each operation of the document, which sends what the operation takes", async () => {
    const { client, sent } = aClient([received]);
    await client.landingPages.request(request);
    await client.landingPages.get(landingPageID);
    const called = sent.map(({ method, url, body }) => [
      `${method} ${url.replace("https://gateway.example.com", "")}`,
      body === "" ? undefined : (JSON.parse(body) as unknown),
    ]);
    expect(Object.fromEntries(called)).toEqual({
      "POST /landing-page-request": request,
      [`GET /landing-page/${landingPageID}`]: undefined,
    });
    const { paths } = JSON.parse(read("docs/openapi/consumer.json")) as { paths: object };
    expect(sent).toHaveLength(Object.values(paths).flatMap((methods: object) => Object.keys(methods)).length);
    for (const { headers, redirect } of sent) {
      expect(redirect).toBe("manual"); // a followed redirect would send password and key elsewhere
      expect(headers.get("x-functions-key")).toBe(secrets.functionKey);
      const [scheme, credentials = ""] = headers.get("authorization")?.split(" ") ?? [];
      expect(scheme).toBe("Basic");
      expect(Buffer.from(credentials, "base64").toString()).toBe("web-shop:secret-lösen");
    }
  });

  it("repeats a request unchanged if the trouble may be temporary", async () => {
    const busy = () => json(503, problem(503, "dependency_unavailable", true));
    const { client, sent } = aClient([broken, busy, received]);
    expect(await client.landingPages.request(request)).toMatchObject({ status: "received" });
    expect(sent.map(({ body }) => JSON.parse(body) as unknown)).toEqual([request, request, request]);
  });

  it("throws a problem with its code, and with the seconds to wait", async () => {
    const limited = () => json(429, problem(429, "rate_limited", true), { "retry-after": "1800" });
    const { client, sent } = aClient([limited]);
    const failure = await client.landingPages.request(request).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PlatformProblem);
    expect(failure).toMatchObject({ code: "rate_limited", retryable: true, retryAfterSeconds: 1800 });
    expect(sent).toHaveLength(1); // half an hour is beyond the deadline
  });

  it.each([
    ["http to another machine", { baseUrl: "http://gateway.example.com" }, "baseUrl"],
    ["a user with a colon", { user: "hunter2:hunter2" }, "user"],
    ["a user that was never set", { user: undefined as unknown as string }, "user"],
    ["an empty password", { password: "" }, "password"],
    ["a password of a file, with its line break", { password: "hunter2\n" }, "password"],
    ["an empty key", { functionKey: "" }, "functionKey"],
  ] satisfies readonly [string, Partial<ClientOptions>, string][])(
    "is not made with %s, and does not repeat the value",
    (_, options, name) => {
      const make = () => consumerClient({ baseUrl: "https://gateway.example.com", ...secrets, ...options });
      expect(make).toThrow(TypeError);
      expect(make).toThrow(new RegExp(`^${name} must`));
      expect(make).not.toThrow(/hunter2/);
    },
  );

  it("shows no password and no key, neither in itself nor in its errors", async () => {
    const { client: refused } = aClient([() => json(401, problem(401, "invalid_credentials", false))]);
    const { client: unreached } = aClient([broken]);
    const failures = await Promise.all(
      [refused, unreached].map((client) => client.landingPages.get(landingPageID).catch((error: unknown) => error)),
    );
    expect(failures[1]).toBeInstanceOf(NoResponse);
    const shown = inspect([refused, unreached, failures], { depth: 20, showHidden: true }) + JSON.stringify(failures);
    expect(shown).toContain("invalid_credentials");
    const credentials = Buffer.from(`${secrets.user}:${secrets.password}`).toString("base64");
    for (const secret of [secrets.password, secrets.functionKey, credentials]) expect(shown).not.toContain(secret);
  });
});
