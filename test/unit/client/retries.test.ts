import { describe, expect, it } from "vitest";
import { NoResponse, PlatformProblem, UnexpectedResponse } from "../../../clients/partners/failures.ts";
import { aClient, accepted, broken, json, problem, request, sessionID } from "./a-client.ts";

const away = (headers = {}) => json(503, problem(503, "dependency_unavailable", true), headers);
const refund = { sessionID, pointOfServiceID: request.pointOfServiceID, currency: "SEK", refundAmount: 1 };

describe("a request without a response, or with temporary trouble", () => {
  it.each([
    ["a broken connection", broken],
    [
      "a body that breaks off",
      () => new Response(new ReadableStream({ pull: (body) => body.error(new Error("reset")) })),
    ],
    ["429", () => json(429, problem(429, "rate_limited", true))],
    ["500", () => json(500, problem(500, "internal_error", true))],
    ["503", () => away()],
    [
      "409 while another request under its key has no outcome",
      () => json(409, problem(409, "idempotency_in_progress", true)),
    ],
    ["502 of a load balancer", () => new Response("<html>", { status: 502 })],
    ["504 without a body", () => new Response(null, { status: 504 })],
  ])("is repeated unchanged: %s", async (_, trouble) => {
    const { client, sent } = aClient([trouble, trouble, accepted]);
    expect(await client.payments.request(request)).toMatchObject({ status: "pending" });
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ ...request, msgType: "paymentRequest" });
    expect(sent[2]?.headers.get("content-type")).toBe("application/json");
  });

  it("has the same Idempotency-Key each time", async () => {
    const { client, sent } = aClient([broken, accepted]);
    await client.payments.request(request, { idempotencyKey: "sale 1234" });
    expect(sent.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["sale 1234", "sale 1234"]);
  });

  it("is repeated until the deadline, after pauses that double to five seconds, and finally reports what failed", async () => {
    const { client, pauses } = aClient([broken]);
    const failure = await client.payments.request(request).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NoResponse);
    expect(String(failure)).toBe("NoResponse: No response from the platform: connect ECONNREFUSED 127.0.0.1:9.");
    expect(pauses).toEqual([150, 300, 600, 1200, 2400, 3750, 3750, 3750, 3750, 3750, 3750]); // 27.15 s
  });

  it.each([
    [0, 16],
    [0.999, 10],
  ])("is sent about ten to fifteen times in 30 s, whatever the random numbers: %d", async (chance, times) => {
    const { client, sent } = aClient([broken], { world: { random: () => chance } });
    await expect(client.payments.request(request)).rejects.toThrow(NoResponse);
    expect(sent).toHaveLength(times);
  });

  it("is given up at the standard deadline if a caller sets it to undefined", async () => {
    const retries = { deadlineMs: undefined } as unknown as { deadlineMs: number };
    const { client, sent } = aClient([broken], { retries });
    await expect(client.payments.request(request)).rejects.toThrow(NoResponse);
    expect(sent).toHaveLength(12);
  });

  it.each([
    ["seconds", "7"],
    ["a date", "Mon, 23 Nov 2026 10:00:07 GMT"],
  ])("waits as long as Retry-After demands, and a little longer: %s", async (_, value) => {
    const { client, pauses } = aClient([() => away({ "retry-after": value }), accepted]);
    await client.payments.request(request);
    expect(pauses).toEqual([7150]);
  });

  it("is given up at once if Retry-After is beyond the deadline, with the seconds for the caller", async () => {
    const { client, sent } = aClient([() => away({ "retry-after": "31" })]);
    const failure = await client.payments.request(request).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PlatformProblem);
    expect(failure).toMatchObject({ code: "dependency_unavailable", retryable: true, retryAfterSeconds: 31 });
    expect(sent).toHaveLength(1);
  });

  it("is given up at the deadline, however many attempts are left", async () => {
    const { client, sent } = aClient([() => away({ "retry-after": "9" })], { retries: { attempts: 50 } });
    await expect(client.payments.request(request)).rejects.toMatchObject({ code: "dependency_unavailable" });
    expect(sent).toHaveLength(4); // at 0, 9.15, 18.45 and 28.05 s
  });

  it("ends an attempt that hangs, and makes the next", async () => {
    const hangs = (_: unknown, signal: AbortSignal) =>
      new Promise<Response>((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
      );
    const { client } = aClient([hangs, accepted], { retries: { attemptTimeoutMs: 20 } });
    expect(await client.payments.request(request)).toMatchObject({ status: "pending" });
    const { client: other } = aClient([hangs], { retries: { attemptTimeoutMs: 5, attempts: 2 } });
    await expect(other.payments.get(sessionID)).rejects.toThrow(/^No response from the platform: .*timeout/);
  });
});

describe("a request is sent once", () => {
  it.each([
    [409, "terminal_busy", true],
    [409, "possible_duplicate", false],
    [422, "validation_failed", false],
    [401, "invalid_credentials", false],
    [404, "payment_not_found", false],
    [503, "dependency_unavailable", false], // a later platform may respond like this
  ])("if the platform refuses it: %i %s", async (status, code, retryable) => {
    const { client, sent } = aClient([() => json(status, problem(status, code, retryable))]);
    await expect(client.payments.request(request)).rejects.toMatchObject({ status, code, retryable });
    expect(sent).toHaveLength(1);
  });

  it("if retries are turned off", async () => {
    const { client, sent } = aClient([broken], { retries: { attempts: 1 } });
    await expect(client.payments.request(request)).rejects.toThrow(NoResponse);
    expect(sent).toHaveLength(1);
  });

  it("if it does not name its object, and so might concern another object the second time", async () => {
    const { client, sent } = aClient([broken]);
    const { raw } = client;
    await expect(raw("pos-payment-refund", { body: { ...refund, msgType: "paymentRefund" } })).rejects.toThrow(
      NoResponse,
    );
    await expect(raw("add-discount", { body: { discountAmount: 1, discountID: sessionID } })).rejects.toThrow();
    await expect(raw("action-request-response", { body: { responseCode: "accepted" } })).rejects.toThrow();
    await expect(raw("set-pos-status", { body: { statusCode: "closed" } })).rejects.toThrow();
    expect(sent).toHaveLength(4);
  });
});

it("a request of the raw client that names its object is repeated", async () => {
  const once = { retries: { attempts: 2 } };
  const body = { ...refund, msgType: "paymentRefund" as const };
  const { client, sent } = aClient([broken], once);
  const headers = { "Idempotency-Key": "one" };
  await expect(client.raw("pos-payment-refund", { body, headers })).rejects.toThrow();
  const query = { pointOfServiceID: sessionID };
  await expect(client.raw("set-pos-status", { body: { statusCode: "closed" }, query })).rejects.toThrow();
  expect(sent).toHaveLength(4);
  expect(sent[1]?.headers.get("idempotency-key")).toBe("one");
});

describe("a caller that gives up", () => {
  it("gets its own reason, while an attempt runs", async () => {
    const reason = new Error("the shop closes");
    const mine = new AbortController();
    const { client, sent } = aClient(
      [
        (_, signal) => {
          mine.abort(reason);
          return Promise.reject(signal.reason as Error);
        },
      ],
      { retries: { attempts: 1 } },
    );
    await expect(client.payments.request(request, { signal: mine.signal })).rejects.toBe(reason);
    expect(sent).toHaveLength(1);
  });

  it("gets it during a pause too, on the real clock", async () => {
    const mine = new AbortController();
    const { realWorld } = await import("../../../clients/common/retries.ts");
    const { client, sent } = aClient(
      [() => (queueMicrotask(() => mine.abort(new Error("no more"))), away({ "retry-after": "20" }))],
      {
        world: { sleep: realWorld.sleep },
      },
    );
    await expect(client.payments.request(request, { signal: mine.signal })).rejects.toThrow("no more");
    expect(sent).toHaveLength(1);
  });
});

describe("a response that no platform sends", () => {
  it.each([
    ["a page with 200", () => new Response("<html>sign in</html>", { status: 200 }), false],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: "https://elsewhere.example" } }),
      false,
    ],
    ["a problem of somebody else", () => json(403, { message: "no" }), false],
    ["an empty 200", () => new Response("", { status: 200, headers: { "content-length": "0" } }), false],
    ["a page with 502, again and again", () => new Response("<html>", { status: 502 }), true],
  ])("is a separate error: %s", async (_, response, retryable) => {
    const { client } = aClient([response]);
    const failure = await client.payments.request(request).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnexpectedResponse);
    expect(failure).toMatchObject({ retryable });
  });
});
