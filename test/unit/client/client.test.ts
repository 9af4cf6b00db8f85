import { inspect } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PlatformProblem } from "../../../clients/partners/failures.ts";
import { partnersClient } from "../../../clients/partners/client.ts";
import { read } from "../../support/pages.ts";
import { aClient, accepted, broken, json, problem, request, sessionID } from "./a-client.ts";

const { pointOfServiceID } = request;
const keys = { apikey: "tp_key_secret-of-apikey", subscriptionKey: "secret-subscription" };

describe("the client", () => {
  it("returns the cancel of a session that was never requested as a success", async () => {
    const { client } = aClient([() => json(404, problem(404, "payment_never_requested", false, { cancelled: true }))]);
    const cancelled = await client.payments.cancel({ sessionID, pointOfServiceID });
    expect(cancelled).toEqual({ sessionID, status: "neverRequested", final: true });
    const { client: other } = aClient([() => json(404, problem(404, "payment_not_found", false))]);
    await expect(other.payments.cancel({ sessionID, pointOfServiceID })).rejects.toThrow(PlatformProblem);
  });

  it("names itself to the platform, but not in a page, whose browser asks the platform first", async () => {
    const { client, sent } = aClient([accepted]);
    await client.payments.get(sessionID);
    vi.stubGlobal("document", {});
    onTestFinished(() => void vi.unstubAllGlobals());
    const { client: ofPage, sent: byPage } = aClient([accepted]);
    await ofPage.payments.get(sessionID);
    const named = [...sent, ...byPage].map(({ headers }) => headers.get("user-agent"));
    expect(named).toEqual(["terminal-payments-partners-client/source", null]);
  });

  it("has a method for each operation of the document, which sends what the operation takes", async () => {
    const ofFiles = { apikey: `${keys.apikey}\n`, subscriptionKey: `${keys.subscriptionKey}\r\n` };
    const { client, sent } = aClient([accepted], { ...ofFiles, strict: true });
    const { payments, terminals, actionRequests, discounts } = client;
    await payments.request(request);
    const payment = { ...request, status: "authorized" }; // the caller may pass on a whole payment
    await payments.cancel(payment);
    await payments.capture({ ...payment, captureAmount: 5, deliverWithinSeconds: 3_600 });
    await payments.refund({ sessionID, pointOfServiceID, refundID: sessionID, currency: "SEK", refundAmount: 1 });
    await payments.get(sessionID);
    await payments.timeline(sessionID);
    await payments.receipts(sessionID, { after: 3, limit: 5 });
    await payments.list({ day: "2026-11-21", status: "captured", limit: 5 });
    await discounts.add({ sessionID, discountID: sessionID, discountAmount: 5 });
    await terminals.list({ statusCode: "offline", limit: 5 });
    await terminals.status(pointOfServiceID);
    await terminals.setStatus(pointOfServiceID, "closed");
    await terminals.day(pointOfServiceID, "2026-11-21");
    await actionRequests.get(sessionID);
    await actionRequests.respond(sessionID, "accepted");
    await client.settlements.get("2026-11-21");
    await client.settlements.csv("2026-11-21");
    await client.settlements.list({ from: "2026-11-01", to: "2026-11-30" });
    await client.eventPage({ after: "next", limit: 5, wait: 2 });
    await client.testWebhook({ url: "https://shop.example.com/webhooks" });

    const called = sent.map(({ method, url, body }) => [
      `${method} ${url.replace("https://gateway.example.com", "")}`,
      body === "" ? undefined : (JSON.parse(body) as unknown),
    ]);
    expect(Object.fromEntries(called)).toEqual({
      "POST /pos-payment-request": { ...request, msgType: "paymentRequest" },
      "POST /pos-payment-cancel": { sessionID, pointOfServiceID, msgType: "paymentCancel" },
      "POST /pos-payment-capture": {
        sessionID,
        pointOfServiceID,
        captureAmount: 5,
        deliverWithinSeconds: 3_600,
        msgType: "paymentCapture",
      },
      "POST /pos-payment-refund": {
        sessionID,
        pointOfServiceID,
        refundID: sessionID,
        currency: "SEK",
        refundAmount: 1,
        msgType: "paymentRefund",
      },
      [`GET /pos-payment/${sessionID}`]: undefined,
      [`GET /pos-payment/${sessionID}/timeline`]: undefined,
      [`GET /pos-payment/${sessionID}/receipts?after=3&limit=5`]: undefined,
      "GET /pos-payments?day=2026-11-21&status=captured&limit=5": undefined,
      "POST /add-discount": { sessionID, discountID: sessionID, discountAmount: 5 },
      "GET /pointOfServices?statusCode=offline&limit=5": undefined,
      [`GET /pointOfServices/${pointOfServiceID}/pos-status`]: undefined,
      "PATCH /set-pos-status": { pointOfServiceID, statusCode: "closed" },
      [`GET /pointOfServices/${pointOfServiceID}/days/2026-11-21`]: undefined,
      [`GET /action-request/${sessionID}`]: undefined,
      "GET /settlements/2026-11-21": undefined,
      "GET /settlements/2026-11-21/file?limit=5000": undefined,
      "GET /settlements?from=2026-11-01&to=2026-11-30": undefined,
      "GET /events?after=next&limit=5&wait=2": undefined,
      "POST /webhook-test": { url: "https://shop.example.com/webhooks" },
      "POST /action-request-response": { actionRequestID: sessionID, responseCode: "accepted" },
    });
    const { paths } = JSON.parse(read("docs/openapi/partners.json")) as { paths: object };
    expect(sent).toHaveLength(Object.values(paths).flatMap((methods: object) => Object.keys(methods)).length);
    for (const { headers, redirect } of sent) {
      expect(redirect).toBe("manual"); // a followed redirect would send the keys elsewhere
      expect(headers.get("apikey")).toBe(keys.apikey);
      expect(headers.get("ocp-apim-subscription-key")).toBe(keys.subscriptionKey);
      expect(headers.get("prefer")).toBe("handling=strict");
    }
  });

  it("withdraws a refund by its name, and not the payment", async () => {
    const { client, sent } = aClient([accepted]);
    const refund = { sessionID, pointOfServiceID, refundID: sessionID };
    await client.payments.withdrawRefund({ ...request, ...refund }, { idempotencyKey: "a return" });
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ ...refund, msgType: "paymentCancel" });
    expect(sent[0]?.headers.get("idempotency-key")).toBe("a return");
    // @ts-expect-error A cancel takes no refundID. A caller without types withdraws the refund all the same.
    await client.payments.cancel(refund);
    expect(JSON.parse(sent[1]?.body ?? "")).toEqual({ ...refund, msgType: "paymentCancel" });
    const { client: unknown } = aClient([() => json(404, problem(404, "payment_not_found", false))]);
    await expect(unknown.payments.withdrawRefund(refund)).rejects.toThrow(PlatformProblem);
  });

  it("reads a settlement as a file, whose pages it puts together as they were sent", async () => {
    const headers = { "content-type": "text/csv; charset=utf-8; header=present" };
    const link = '<?limit=5000&merchantID=m&after=a%2Bb>; rel="next"';
    const { client, sent } = aClient([
      () => new Response("record,date\r\n", { headers: { ...headers, link } }),
      () => new Response("day,2026-11-21\r\n", { headers }),
    ]);
    const file = await client.settlements.csv("2026-11-21", { merchantID: "m" });
    expect(file).toBe("record,date\r\nday,2026-11-21\r\n");
    const pages = ["limit=5000&merchantID=m", "limit=5000&merchantID=m&after=a%2Bb"];
    expect(sent.map(({ url }) => url)).toEqual(
      pages.map((page) => `https://gateway.example.com/settlements/2026-11-21/file?${page}`),
    );
  });

  it("yields every movement of a settlement, page by page", async () => {
    const { client, sent } = aClient([
      () => json(200, { bookings: [{ sequence: 1 }, { sequence: 2 }], next: "2" }),
      () => json(200, { bookings: [{ sequence: 3 }] }),
    ]);
    const found: number[] = [];
    for await (const { sequence } of client.settlements.lines("2026-11-21", { limit: 2 })) found.push(sequence);
    expect(found).toEqual([1, 2, 3]);
    expect(sent.map(({ url }) => url.split("?")[1])).toEqual(["limit=2", "limit=2&after=2"]);
  });

  it("reads a response as JSON although a proxy calls it a text", async () => {
    const headers = { "content-type": "text/plain" };
    const { client } = aClient([() => new Response('{"status":"captured","final":true}', { headers })]);
    expect(await client.payments.get(sessionID)).toEqual({ status: "captured", final: true });
  });

  it("throws a problem with its code, and with a message for people", async () => {
    const errors = [{ field: "currency", code: "invalid_value", message: "must be an ISO 4217 code" }];
    const { client } = aClient([() => json(422, problem(422, "validation_failed", false, { errors }))]);
    const failure = await client.payments.request(request).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PlatformProblem);
    expect(failure).toMatchObject({
      message: "validation_failed: It is so (currency must be an ISO 4217 code)",
      status: 422,
      requestID: "r1",
      errors,
    });
  });

  it.each([
    ["http to another machine", { baseUrl: "http://gateway.example.com" }, "baseUrl"],
    ["no address", { baseUrl: "gateway.example.com" }, "baseUrl"],
    ["an address with a password", { baseUrl: "https://me:hunter2@gateway.example.com" }, "baseUrl"],
    ["an address with a query", { baseUrl: "https://gateway.example.com/?key=hunter2" }, "baseUrl"],
    ["an empty key", { apikey: "" }, "apikey"],
    ["a key with a line break in it", { apikey: "hunter2\nhunter2" }, "apikey"],
    ["a key that was never set", { subscriptionKey: undefined as unknown as string }, "subscriptionKey"],
  ])("is not made with %s, and does not repeat the value", (_, options, name) => {
    const make = () => partnersClient({ baseUrl: "https://gateway.example.com", ...keys, ...options });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(new RegExp(`^${name} must`));
    expect(make).not.toThrow(/hunter2/);
  });

  it.each(["http://127.0.0.1:7080", "http://localhost:7080", "http://[::1]:7080"])(
    "is made for this machine: %s",
    (baseUrl) => expect(() => partnersClient({ baseUrl, ...keys })).not.toThrow(),
  );

  it("shows no key, neither in itself nor in its errors", async () => {
    const { client: refused } = aClient([() => json(401, problem(401, "invalid_credentials", false))]);
    const { client: unreached } = aClient([broken]);
    const shown = await Promise.all(
      [refused, unreached].map(async (client) => {
        const error: unknown = await client.payments.get(sessionID).catch((error: unknown) => error);
        return inspect([client, error], { depth: 20, showHidden: true }) + JSON.stringify(error) + String(error);
      }),
    );
    expect(shown.join()).toContain("invalid_credentials");
    expect(shown.join()).toContain("ECONNREFUSED");
    expect(shown.join()).not.toMatch(/secret/);
  });
});
