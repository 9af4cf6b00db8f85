import { HttpRequest, InvocationContext } from "@azure/functions";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readUntil } from "../../../shared/adapters/tables/read-until.ts";
import { consumer, partner } from "../../../shared/edge/auth/authenticate.ts";
import { ok, refuse } from "../../../shared/domain/result.ts";
import { refusal, respond } from "../../../shared/edge/http/response.ts";
import { optionalBody, requestBody, success } from "../../../shared/edge/http/contract.ts";
import { hashKey } from "../../../shared/edge/auth/credentials.ts";
import { defineEndpoint, type Endpoint } from "../../../shared/edge/http/define-endpoint.ts";
import type { HttpDeps } from "../../../shared/edge/http/handle-request.ts";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import { retryOnConflict } from "../../../shared/use-cases/outbox/retry-on-conflict.ts";
import { collectedLog } from "../../support/collected-log.ts";
import type { ApiKey } from "../../../shared/stores/partners.ts";
import { anApiKey } from "../../support/a-partner.ts";
import { aPlatform, partnerId } from "../../support/platform.ts";
import { noAuthWork } from "../../support/auth-deps.ts";

/** The advice after another content type, or a compressed body. */
const plain = "Send uncompressed JSON";

const peppers = { p: "a pepper of some length" };

async function someDeps(more: Partial<HttpDeps> = {}): Promise<HttpDeps> {
  const { deps } = await aPlatform();
  const key = anApiKey({ partnerId });
  const keys: readonly ApiKey[] = [
    { ...key, keyId: "good" },
    { ...key, keyId: "expired", expiresAt: "2026-11-21T09:00:00.000Z" },
    { ...key, keyId: "revoked", revokedAt: "2026-11-21T09:00:00.000Z" },
    { ...key, keyId: "disabled", isDisabled: true },
    { ...key, keyId: "narrow", scopes: ["terminals"] },
  ];
  for (const one of keys) await deps.partners.saveKey({ ...one, hash: hashKey("secret", peppers.p, one) }, undefined);
  return {
    ...deps,
    peppers,
    ...noAuthWork,
    responseTimeoutMs: 3_000,
    readUntil,
    ...more,
  };
}

const echo = defineEndpoint({
  auth: partner("payments"),
  name: "echo",
  method: "POST",
  route: "echo",
  summary: "Echo",
  description: "Answers what it was sent.",
  body: requestBody(z.object({ amount: z.number(), note: z.string().optional() })),
  successes: { 202: success("It is sent back.", z.unknown()) },
  handle: async (_: unknown, { body, caller, traceparent }) =>
    respond(202, { body, partnerID: caller.partnerId, traceparent }),
});

const ofConsumers = defineEndpoint({
  auth: consumer({ basic: true }),
  name: "ofConsumers",
  method: "POST",
  route: "of-consumers",
  summary: "Of consumers",
  description: "Answers who asked, and by what its commands are marked.",
  body: requestBody(z.unknown()),
  successes: { 200: success("It is sent back.", z.unknown()) },
  handle: async (_: unknown, { user, keyId }) => respond(200, { user, keyId }),
});

const unaddressed = defineEndpoint({
  auth: partner("payments"),
  name: "unaddressed",
  method: "POST",
  route: "unaddressed",
  summary: "Unaddressed",
  description: "Answers what it was sent, if anything.",
  body: optionalBody(z.object({ note: z.string().optional() })),
  successes: { 200: success("It is sent back.", z.unknown()) },
  handle: async (_: unknown, { body }) => respond(200, body),
});

const searched = defineEndpoint({
  auth: partner("payments"),
  name: "searched",
  method: "GET",
  route: "searched",
  summary: "Searched",
  description: "Answers how it was asked.",
  parameters: {
    query: z.object({ most: z.coerce.number().max(20).optional() }),
    header: z.object({ "X-Mark": z.string().max(3).optional() }),
  },
  successes: { 200: success("It is sent back.", z.unknown()) },
  handle: async (_: unknown, { parameters }) => respond(200, parameters),
});

interface Sent {
  readonly query?: string;
  readonly headers?: Record<string, string | undefined>;
  readonly body?: string | Uint8Array;
}

async function call(
  deps: HttpDeps,
  { query, headers = {}, body = '{"amount":1}' }: Sent = {},
  endpoint: Endpoint<unknown> = echo,
) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const standard = {
    apikey: "pk_good_secret",
    "content-type": "application/json",
    "content-length": String(bytes.length),
  };
  const given = Object.entries({ ...standard, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const request = new HttpRequest({
    method: "POST",
    url: `http://localhost/echo?${query ?? (endpoint === echo ? "x=1" : "")}`,
    headers: Object.fromEntries(given),
    body: { bytes },
  });
  const log = collectedLog();
  const response = await endpoint.handler({ ...deps, log })(request, new InvocationContext());
  const init = response as { status: number; headers: Record<string, string>; body?: string };
  return {
    status: init.status,
    headers: init.headers,
    lines: log.lines,
    json: JSON.parse(init.body ?? "null") as Record<string, unknown>,
  };
}

describe("an endpoint of the Partners API", () => {
  it("accepts a valid key, and responds with JSON and a request id", async () => {
    const { status, headers, json } = await call(await someDeps());
    expect(status).toBe(202);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "x-request-id": expect.stringMatching(/^[\w-]{36}$/) as string,
    });
    expect(json).toMatchObject({ body: { amount: 1 }, partnerID: partnerId });
  });

  it.each([
    ["missing", undefined, { refused: "missing" }],
    ["unknown", "pk_nobody_secret", { refused: "unknown" }],
    ["unknown, in our form", "pk_0f3a91c2d4e5b6a7_secret", { refused: "unknown", claimedKey: "0f3a91c2d4e5b6a7" }],
    ["wrong", "pk_good_secretx", { refused: "wrong", claimedKey: "good" }],
    ["expired", "pk_expired_secret", { refused: "expired", partner: partnerId, key: "expired" }],
    ["revoked", "pk_revoked_secret", { refused: "revoked", partner: partnerId, key: "revoked" }],
    ["of a disabled partner", "pk_disabled_secret", { refused: "disabled", partner: partnerId, key: "disabled" }],
    ["a terminal's", "tk_good_secret", { refused: "malformed" }],
    ["no key at all", "../../etc", { refused: "malformed" }],
  ])("responds with the same 401 to a key that is %s, and the log says why", async (_, apikey, line) => {
    const { status, json, lines } = await call(await someDeps(), { headers: { apikey } });
    const { time: __, ms: ___, requestID: ____, trace: _____, version: ______, ...said } = { ...lines[0] };
    expect(said).toEqual({
      event: "request",
      function: "echo",
      status: 401,
      code: "invalid_credentials",
      ...line,
    });
    expect(status).toBe(401);
    expect(json).toMatchObject({
      code: "invalid_credentials",
      title: "The credentials are missing or wrong",
      retryable: false,
    });
    expect(json["detail"]).toBeUndefined();
    expect(json["errors"]).toMatchObject([{ field: "apikey", code: apikey === undefined ? "required" : "invalid" }]);
  });

  it("names the user of a consumer's call in the log and to its commands, but an unproven user only in the log", async () => {
    const known = { ...(await someDeps()), checkBasic: () => ok({ user: "web-shop" }) };
    const right = await call(known, {}, ofConsumers);
    expect(right).toMatchObject({ json: { user: "web-shop" }, lines: [{ status: 200, user: "web-shop" }] });
    const guessed = { ...known, checkBasic: () => refuse({ refused: "wrong", claimedUser: "web-shop" } as const) };
    const wrong = await call(guessed, {}, ofConsumers);
    expect(wrong.lines).toMatchObject([{ status: 401, refused: "wrong", claimedUser: "web-shop" }]);
    expect(wrong.lines[0]).not.toHaveProperty("user");
  });

  it("names the section about a problem as its type if the page is published", async () => {
    const deps = { ...(await someDeps()), problemPagesUrl: "https://docs.example/problems" };
    expect((await call(deps, { headers: { apikey: undefined } })).json).toMatchObject({
      type: "https://docs.example/problems#invalid_credentials",
    });
    const unpublished = await call(await someDeps(), { headers: { apikey: undefined } });
    expect(unpublished.json).toMatchObject({ type: "about:blank" });
  });

  it("responds 403 when the key lacks the scope", async () => {
    expect(await call(await someDeps(), { headers: { apikey: "pk_narrow_secret" } })).toMatchObject({
      status: 403,
      json: { code: "forbidden" },
    });
  });

  it.each<[string, Sent, number, string, string?]>([
    ["no JSON", { body: '{"amount":' }, 400, "invalid_json", "At line 1, column 11: a value"],
    [
      "a repeated member",
      { body: '{"amount":1,"amount":2}' },
      400,
      "invalid_json",
      "At line 1, column 13: a member name",
    ],
    ["nothing", { body: "" }, 400, "invalid_json", "The body is empty"],
    ["Latin-1", { body: Buffer.from('{"ort":"é"}', "latin1") }, 400, "invalid_json", "Byte 9 begins no character"],
    ["half a character", { body: Buffer.from([0x22, 0xef, 0xbf, 0x22]) }, 400, "invalid_json", "Byte 2 begins"],
    [
      "a byte order mark of UTF-16",
      { body: Buffer.from("\ufeff{}", "utf16le") },
      400,
      "invalid_json",
      "mark of UTF-16",
    ],
    ["UTF-16 without a mark", { body: Buffer.from("{}", "utf16le") }, 400, "invalid_json", "as text in UTF-16"],
    ["gzip without a header", { body: gzipSync("{}") }, 400, "invalid_json", "Send it uncompressed"],
    ["gzip", { body: gzipSync("{}"), headers: { "content-encoding": "gzip" } }, 415, "unsupported_media_type", plain],
    ["a compressed list", { headers: { "content-encoding": "identity, br" } }, 415, "unsupported_media_type", plain],
    ["more than 64 KiB", { body: JSON.stringify({ amount: 1, note: "x".repeat(65_536) }) }, 413, "body_too_large"],
    ["another content type", { headers: { "content-type": "text/plain" } }, 415, "unsupported_media_type", plain],
    ["no content type", { headers: { "content-type": undefined } }, 415, "unsupported_media_type", plain],
  ])("responds as specified to a body with %s", async (_, sent, status, code, detail) => {
    const answer = await call(await someDeps(), sent);
    expect(answer).toMatchObject({ status, json: { status, code, instance: "/echo" } });
    if (detail !== undefined) expect(answer.json).toMatchObject({ detail: expect.stringContaining(detail) as string });
  });

  it.each(["", "identity", "IDENTITY", "identity, identity"])(
    "reads a body with Content-Encoding: %s",
    async (coding) => {
      expect(await call(await someDeps(), { headers: { "content-encoding": coding } })).toMatchObject({ status: 202 });
    },
  );

  it("names every field that is missing or wrong, and never repeats its value", async () => {
    const { status, json } = await call(await someDeps(), { body: '{"note":12345678}' });
    expect(status).toBe(422);
    expect(json).toMatchObject({
      code: "validation_failed",
      errors: [
        { field: "amount", code: "required" },
        { field: "note", code: "wrong_type", message: "must be text" },
      ],
    });
    expect(JSON.stringify(json)).not.toContain("12345678");
  });

  it("reads the query and the headers that its contract names, an empty header too", async () => {
    const requested = (query: string, mark?: string) =>
      someDeps().then((deps) => call(deps, { query, headers: { "x-mark": mark }, body: "" }, searched));
    expect((await requested("most=12", "abc")).json).toEqual({ most: 12, "X-Mark": "abc" });
    expect((await requested("", "")).json).toEqual({ "X-Mark": "" });
    const wrong = (field: string) => ({ status: 422, json: { code: "validation_failed", errors: [{ field }] } });
    for (const query of ["most=21", "most=soon", "most=1,2", "most=NaN", "most=", "most=12&most=12", "Most=12"])
      expect(await requested(query)).toMatchObject(wrong("most"));
    expect(await requested("", "abcd")).toMatchObject(wrong("X-Mark"));
  });

  it("refuses a body if it takes none, for an authenticated caller", async () => {
    const refused = { status: 413, json: { code: "body_too_large", detail: expect.stringContaining("no body") } };
    expect(await call(await someDeps(), {}, searched)).toMatchObject(refused);
    const stranger = { headers: { apikey: "pk_nobody_secret" } };
    expect(await call(await someDeps(), stranger, searched)).toMatchObject({ status: 401 });
    const empty = { body: "", headers: { "content-length": "0" } };
    expect(await call(await someDeps(), empty, searched)).toMatchObject({ status: 200 });
    const chunked = { body: "", headers: { "content-length": undefined, "transfer-encoding": "chunked" } };
    expect(await call(await someDeps(), chunked, searched)).toMatchObject({ status: 200 });
  });

  it("reads a body that may be left out as an empty object, and a sent one as any other", async () => {
    const bare = { body: "", headers: { "content-type": undefined } };
    expect(await call(await someDeps(), bare, unaddressed)).toMatchObject({ status: 200, json: {} });
    const sent = { body: '{"note":"a"}' };
    expect((await call(await someDeps(), sent, unaddressed)).json).toEqual({ note: "a" });
    expect(await call(await someDeps(), { body: "[]" }, unaddressed)).toMatchObject({ status: 422 });
    const asText = { body: "{}", headers: { "content-type": "text/plain" } };
    expect(await call(await someDeps(), asText, unaddressed)).toMatchObject({ status: 415 });
  });

  it("treats null as absent and drops unknown members", async () => {
    const { json } = await call(await someDeps(), { body: '{"amount":1,"note":null,"more":true}' });
    expect(json["body"]).toEqual({ amount: 1 });
  });

  it("responds 503 with Retry-After when a dependency is unavailable or too slow, and logs the request", async () => {
    const away = await someDeps();
    away.partners.findKey = async () => {
      throw new Unavailable("tables are away");
    };
    const expected = {
      status: 503,
      headers: { "retry-after": "1" },
      json: { code: "dependency_unavailable", retryable: true },
    };
    const given = { headers: { "x-request-id": "gateway-1" } };
    const ofRequest = { requestID: "gateway-1", function: "echo" };
    const log = (message: string, reason = "tables") => ({
      lines: [
        {
          event: "dependencyUnavailable",
          level: "warning",
          reason,
          error: `Unavailable: ${message}`,
          ...ofRequest,
        },
        { event: "request", status: 503, code: "dependency_unavailable", ...ofRequest },
      ],
    });
    expect(await call(away, given)).toMatchObject({ ...expected, ...log("tables are away") });

    const crowded = await someDeps();
    crowded.partners.findKey = () => retryOnConflict(() => Promise.reject(new Conflict("another writer")), 2);
    expect(await call(crowded, given)).toMatchObject({
      ...expected,
      ...log("another writer was first 2 times", "conflict"),
    });

    const slow = await someDeps({ responseTimeoutMs: 5 });
    slow.partners.findKey = () => new Promise<never>(() => {});
    expect(await call(slow, given)).toMatchObject({ ...expected, ...log("no response within 5 ms") });
  });

  it("says that a request may be repeated if its refusal says when, whatever its code", async () => {
    const duplicate = (seconds: object) =>
      defineEndpoint({
        auth: partner("payments"),
        name: "d",
        method: "POST",
        route: "d",
        summary: "Duplicate",
        description: "Refuses.",
        body: requestBody(z.unknown()),
        successes: { 200: success("It never comes to that.", z.unknown()) },
        problems: ["possible_duplicate"],
        handle: async (_: unknown) => refusal({ code: "possible_duplicate", ...seconds }),
      });
    const soon = await call(await someDeps(), {}, duplicate({ retryAfterSeconds: 5 }));
    expect(soon).toMatchObject({ status: 409, headers: { "retry-after": "5" }, json: { retryable: true } });
    const never = await call(await someDeps(), {}, duplicate({}));
    expect(never).toMatchObject({ status: 409, json: { retryable: false } });
    expect(never.headers).not.toHaveProperty("retry-after");
  });

  it("responds 500 for an error in the platform itself, and only the log shows its details", async () => {
    const broken = defineEndpoint({
      auth: partner("payments"),
      name: "b",
      method: "POST",
      route: "b",
      summary: "Broken",
      description: "Throws.",
      successes: { 204: { means: "It never comes to that." } },
      handle: async (_: unknown) => {
        throw new Error("inner secret");
      },
    });
    const { status, json, lines } = await call(await someDeps(), { body: "" }, broken);
    expect(status).toBe(500);
    const { requestID } = json;
    expect(lines).toMatchObject([
      { event: "requestFailed", level: "error", requestID, error: "Error", partner: partnerId },
      { event: "request", requestID, status: 500, code: "internal_error", function: "b", partner: partnerId },
    ]);
    expect(lines[0]?.stack?.some((place) => /^shared\/edge\/http\/handle-request\.ts:\d+:\d+$/.test(place))).toBe(true);
    expect(JSON.stringify([json, lines])).not.toContain("inner secret");
  });

  it("responds with application/problem+json to a caller that accepts it", async () => {
    const { headers } = await call(await someDeps(), {
      headers: { apikey: undefined, accept: "application/problem+json" },
    });
    expect(headers["content-type"]).toBe("application/problem+json");
  });

  it("passes a well-formed traceparent on, and otherwise starts its own trace", async () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    expect((await call(await someDeps(), { headers: { traceparent } })).json["traceparent"]).toBe(traceparent);
    expect((await call(await someDeps(), { headers: { traceparent: "junk" } })).json["traceparent"]).toMatch(
      /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/,
    );
  });
});
