import { Buffer } from "node:buffer";
import { runInNewContext } from "node:vm";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyWebhook, WebhookRejected } from "../../../clients/partners/webhooks.ts";
import { sampleEvents } from "../../../infra/documents/openapi/samples/sample-events.ts";
import { wrongHeaders } from "../../support/strangers.ts";

const secret = `whsec_${Buffer.from("a secret of these tests alone...").toString("base64")}`;
const other = `whsec_${Buffer.from("another secret of these tests...").toString("base64")}`;
const sentAt = Date.parse("2026-11-23T10:00:00Z");
const now = () => sentAt + 1000;
const body = JSON.stringify({ ...sampleEvents.payment, note: "å 😀" });

/** The headers of a webhook, signed with these secrets. */
const signed = (text: string, ...secrets: string[]) => ({
  "webhook-id": "session_3",
  "webhook-timestamp": String(sentAt / 1000),
  "webhook-signature": secrets.map((one) => new Webhook(one).sign("session_3", new Date(sentAt), text)).join(" "),
});
const rejection = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (error instanceof WebhookRejected) return error.reason;
    throw error;
  }
  return "accepted";
};

describe("a webhook is verified", () => {
  it.each([
    ["text", body],
    ["bytes", new TextEncoder().encode(body)],
    ["a Buffer", Buffer.from(body)],
    [
      "a Buffer of another realm",
      runInNewContext("Uint8Array.from(bytes)", { bytes: [...Buffer.from(body)] }) as Uint8Array,
    ],
    ["an ArrayBuffer", Uint8Array.from(Buffer.from(body)).buffer],
  ])("from its body as %s", (_, raw) => {
    const event = verifyWebhook(raw, signed(body, secret), secret, { now });
    expect(event).toMatchObject({ type: sampleEvents.payment.type, note: "å 😀" });
  });

  it("with Node's headers, web headers and headers in any case", () => {
    const headers = signed(body, secret);
    const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const given of [headers, new Headers(headers), capitals]) {
      expect(verifyWebhook(body, given, secret, { now }).id).toBe(sampleEvents.payment.id);
    }
  });

  it("while a secret is rotated, on either side first", () => {
    expect(verifyWebhook(body, signed(body, other, secret), secret, { now })).toBeDefined();
    expect(verifyWebhook(body, signed(body, other), [secret, other], { now })).toBeDefined();
  });

  it("with a secret as its file holds it, with a line end", () => {
    expect(verifyWebhook(body, signed(body, secret), `${secret}\n`, { now })).toBeDefined();
  });
});

describe("a webhook is rejected", () => {
  const headers = signed(body, secret);

  it("with any header that no platform sends", () => {
    for (const [name, value] of wrongHeaders(now())) {
      const verify = () => verifyWebhook(body, { ...headers, [name]: value }, secret, { now });
      expect(rejection(verify), `${name}: ${value}`).not.toBe("accepted");
    }
  });

  it.each([
    ["with another secret", () => verifyWebhook(body, headers, other, { now }), "wrong signature"],
    ["with another body", () => verifyWebhook(`${body} `, headers, secret, { now }), "wrong signature"],
    [
      "under another id",
      () => verifyWebhook(body, { ...headers, "webhook-id": "x" }, secret, { now }),
      "wrong signature",
    ],
    [
      "with an empty signature",
      () => verifyWebhook(body, { ...headers, "webhook-signature": "" }, secret, { now }),
      "header missing",
    ],
    [
      "with half a signature",
      () =>
        verifyWebhook(body, { ...headers, "webhook-signature": headers["webhook-signature"].slice(0, 9) }, secret, {
          now,
        }),
      "wrong signature",
    ],
    [
      "with a signature of another version",
      () =>
        verifyWebhook(
          body,
          { ...headers, "webhook-signature": headers["webhook-signature"].replace("v1", "v2") },
          secret,
          { now },
        ),
      "wrong signature",
    ],
    [
      "without an id",
      () => verifyWebhook(body, { ...headers, "webhook-id": undefined }, secret, { now }),
      "header missing",
    ],
    [
      "with no time",
      () => verifyWebhook(body, { ...headers, "webhook-timestamp": "now" }, secret, { now }),
      "timestamp wrong",
    ],
    ["after five minutes", () => verifyWebhook(body, headers, secret, { now: () => sentAt + 301_000 }), "too old"],
    ["before its time", () => verifyWebhook(body, headers, secret, { now: () => sentAt - 301_000 }), "too new"],
    [
      "beyond a tolerance of one's own",
      () => verifyWebhook(body, headers, secret, { now, toleranceSeconds: 0 }),
      "too old",
    ],
    ["where it is signed and no event", () => verifyWebhook("[]", signed("[]", secret), secret, { now }), "no event"],
  ])("%s", (_, verify, reason) => expect(rejection(verify)).toBe(reason));
});

describe("a mistake of the receiver is not a rejection: it is a TypeError, which says what to do", () => {
  it("a parsed body", () => {
    const parsed = JSON.parse(body) as string;
    expect(() => verifyWebhook(parsed, signed(body, secret), secret, { now })).toThrow(TypeError);
    expect(() => verifyWebhook(parsed, signed(body, secret), secret, { now })).toThrow(/already parsed.*express\.raw/);
  });

  it("a body that was not read", () => {
    const unread = undefined as unknown as string;
    expect(() => verifyWebhook(unread, signed(body, secret), secret, { now })).toThrow(
      /nothing has read it.*express\.raw/,
    );
  });

  it("an invalid secret, which is not repeated", () => {
    const bad = () => verifyWebhook(body, signed(body, secret), ["whsec_hunter2*"], { now });
    expect(bad).toThrow(TypeError);
    expect(bad).not.toThrow(/hunter2/);
    expect(() => verifyWebhook(body, signed(body, secret), [], { now })).toThrow("No webhook secret is given.");
    expect(() => verifyWebhook(body, signed(body, secret), "", { now })).toThrow(TypeError);
  });
});
